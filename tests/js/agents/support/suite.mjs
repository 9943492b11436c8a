// The tests of an agent: tasks of several tool rounds and a second question in the same session,
// with every kind of model, and with what can go wrong at one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gateway } from "../../conversations/paths/programs.mjs";
import { UPSTREAMS } from "../../conversations/upstreams/index.mjs";
import { faultsOf, follow, ofTask } from "./model.mjs";
import { taskFolder } from "./run.mjs";

/** The text of the file that the task writes: what JSON, shells and patches have to escape. */
export const NOTE = 'A "note" \\ with $HOME, 你好 and 👋';

/** The models of the faults, one of each API. */
const ONE_OF_EACH = ["chat-openai", "anthropic-adaptive", "gemini", "responses"];

/**
 * The task: two commands at once, the file, a look at it, and the answer; then the answer to the
 * second question. `calls` are those of the agent's tools: `run(command, expect)`,
 * `write(name, text)`, and `extra`, further steps.
 */
const taskOf =
  ({ run, write, extra = [] }) =>
  (work) => [
    { reasoning: "Two commands at once.", calls: [run("echo one", /one/), run("echo two", /two/)] },
    {
      reasoning: "Now the file.",
      text: "I write the note.",
      calls: [write(join(work, "note.txt"))],
    },
    ...extra,
    { reasoning: "Look at it.", calls: [run("cat note.txt", /👋/)] },
    { reasoning: "Done.", text: "The note is written." },
    { reasoning: "A second question.", text: "It has one line." },
  ];

/**
 * Adds the tests of an agent. `calls` are those of the task, or a function that returns the steps of
 * another one with the same file and the same last answers. `faults` are those that it is tested
 * with, and whether it then repeats its request and completes the task: with all models, with none,
 * or with those of a list; `models` are names for the fake models other than their own; `keepsState`
 * is whether the agent sends back what only the model can read.
 */
export function agentTests(agent, calls, { faults = {}, models = {}, keepsState = true } = {}) {
  const task = typeof calls === "function" ? calls : taskOf(calls);
  // Only a developer can add a tool of the model's server.
  for (const Kind of UPSTREAMS.filter((Kind) => new Kind().serverTools.length === 0)) {
    const upstream = new (ofTask(Kind))();
    upstream.model = models[upstream.name] ?? upstream.model;
    describe(`${agent.name}, ${upstream.name}`, () => {
      let server;
      before(async () => {
        await upstream.start();
        server = await gateway.start(upstream);
      });
      after(() => Promise.all([server?.close(), upstream.close()]));

      /**
       * Starts a task in an empty folder. `fault`: what the second answer begins with, or the first
       * one if the second is that to the second question.
       */
      const start = async (t, fault) => {
        const folder = taskFolder();
        t.after(folder.remove);
        const steps = task(folder.work);
        folder.faultAt = Math.min(1, steps.length - 2);
        if (fault) steps.splice(folder.faultAt, 0, { ...steps[3], text: "A text that", fault });
        follow(upstream, steps);
        await agent.configure(folder, { url: server.url, model: upstream.model });
        return folder;
      };

      const mustSucceed = (folder, { code, stdout, stderr }, answer) => {
        const shown = `${stdout}\n${stderr}`;
        assert.deepEqual(faultsOf(upstream, keepsState), [], shown);
        assert.equal(code, 0, shown);
        const lines = stdout.trim().split("\n");
        assert.equal(
          agent.printsMore ? lines.find((line) => line === answer) : lines.at(-1),
          answer,
          shown,
        );
        assert.equal(readFileSync(join(folder.work, "note.txt"), "utf8").trimEnd(), NOTE);
      };

      test("a task of several rounds, and a second question", async (t) => {
        const folder = await start(t);
        mustSucceed(folder, await agent.ask(folder, "Write a note."), "The note is written.");
        const second = await agent.ask(folder, "How long is it?", { continues: true });
        mustSucceed(folder, second, "It has one line.");
        const isOpened = (line) => line.includes('"status":101');
        assert.equal(server.lines.some(isOpened), agent.usesSockets === true);
      });

      if (!ONE_OF_EACH.includes(upstream.name)) return;
      for (const [fault, isRepeated] of Object.entries(faults)) {
        test(`${fault} in the middle of a task`, async (t) => {
          const folder = await start(t, fault);
          const ended = await agent.ask(folder, "Write a note.");
          const completes = Array.isArray(isRepeated)
            ? isRepeated.includes(upstream.name)
            : isRepeated;
          if (completes) return mustSucceed(folder, ended, "The note is written.");
          assert.deepEqual(faultsOf(upstream, keepsState), []);
          assert.equal(
            upstream.answered,
            folder.faultAt + 1,
            "the fault is the last answer of the model",
          );
          assert.notEqual(ended.code, "timeout");
          assert.match(ended.stdout + ended.stderr, /error/i, "the user sees the fault");
          assert.doesNotMatch(ended.stdout, /The note is written/);
        });
      }
    });
  }
}
