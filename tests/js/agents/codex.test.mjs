// Codex with every kind of model through the gateway.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gateway } from "../conversations/paths/programs.mjs";
import { UPSTREAMS } from "../conversations/upstreams/index.mjs";
import { codex } from "./clients/codex.mjs";
import { faultsOf, follow, ofTask } from "./support/model.mjs";
import { taskFolder } from "./support/run.mjs";

const shell = (cmd, expect) => ({ tool: "exec_command", args: { cmd }, expect });
const patch = (name, text) => ({
  tool: "apply_patch",
  text: `*** Begin Patch\n*** Add File: ${name}\n+${text}\n*** End Patch\n`,
  expect: /Success|A note.txt/,
});

const TASK = [
  {
    reasoning: "Two commands at once.",
    calls: [shell("echo one > one.txt", /exited with code 0/), shell("echo two", /two/)],
  },
  {
    reasoning: "Now the file.",
    text: "I write the note.",
    calls: [patch("note.txt", 'A "note" \\ from 你好 👋')],
  },
  { reasoning: "Look at it.", calls: [shell("cat note.txt", /👋/)] },
  { reasoning: "Done.", text: "The note is written." },
  { reasoning: "A second question.", text: "It has one line." },
];

const exec = (text, expect) => ({ tool: "exec", text, expect });
const js = JSON.stringify;
const LITE = [
  {
    reasoning: "Two commands at once.",
    calls: [
      exec(
        `const r = await tools.exec_command({cmd: "echo one > one.txt; echo fine"}); notify("half"); text(r.output);`,
        /fine/,
      ),
    ],
  },
  {
    reasoning: "Now the file.",
    text: "I write the note.",
    calls: [
      exec(
        `text(await tools.apply_patch(${js(patch("note.txt", 'A "note" \\ from 你好 👋').text)}))`,
        /./,
      ),
    ],
  },
  {
    reasoning: "Look at it.",
    calls: [exec(`text((await tools.exec_command({cmd: "cat note.txt"})).output)`, /👋/)],
  },
  { reasoning: "Done.", text: "The note is written." },
  { reasoning: "A second question.", text: "It has one line." },
];

for (const Kind of UPSTREAMS.filter((Kind) => new Kind().serverTools.length === 0)) {
  const upstream = new (ofTask(Kind))();
  describe(`Codex, ${upstream.name}`, () => {
    let server;
    before(async () => {
      await upstream.start();
      server = await gateway.start(upstream);
    });
    after(() => Promise.all([server?.close(), upstream.close()]));

    for (const [model, task] of [
      ["gpt-5.5", TASK],
      ["unknown", TASK.filter((_, at) => at !== 1 && at !== 2)],
      ["gpt-5.6-sol", LITE],
    ]) {
      test(`a task of several rounds, and a second question: ${model}`, async (t) => {
        const folder = taskFolder();
        t.after(folder.remove);
        follow(upstream, task);
        codex.configure(folder, server.url, { model });
        const first = await codex.ask(folder, "Write a note.");
        assert.deepEqual(
          faultsOf(upstream),
          [],
          first.stderr + JSON.stringify(upstream.requests.at(-1).body.tools ?? 0).slice(0, 100),
        );
        assert.equal(first.code, 0, first.stderr);
        assert.equal(first.stdout.trim(), "The note is written.");
        if (model !== "unknown")
          assert.equal(
            readFileSync(join(folder.work, "note.txt"), "utf8"),
            'A "note" \\ from 你好 👋\n',
          );
        assert.ok(existsSync(join(folder.work, "one.txt")));
        const second = await codex.ask(folder, "How long is it?", { continues: true });
        assert.equal(second.stdout.trim(), "It has one line.", second.stderr);
        assert.deepEqual(faultsOf(upstream), []);
      });
    }
  });
}
