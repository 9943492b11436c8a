// The ways of asking in examples/asking: what a strict compiler says of them, and conversations with one agent behind every protocol, in
// which a tool of the page is called, and a question is answered, declined and passed by.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { a2aAdapter, agentApiAdapter, agKitAdapter, agUiAdapter, createHandler, responsesAdapter } from "agentwire/server";
import { createConversation } from "agentwire/store";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const PROTOCOLS = ["agent_api", "ag_kit", "ag_ui", "responses", "a2a"];

/** Says what it was told last, and asks back. */
async function agent(out, { input, tools }) {
  const { type, content } = input.at(-1);
  const { text, data } = content[0];
  if (type === "function_call_output") {
    return out.message().text().delta(`The page says ${data.output}.`);
  }
  if (type === "mcp_approval_response") {
    return out.message().text().delta(data.approve ? "They are gone." : "They stay.");
  }
  if (text === "Paint it.") {
    assert.equal(tools[0].function.name, "paint");
    return out.tool("paint", { callId: `call_${input.length}` }).arguments('{"color":"teal"}');
  }
  if (text === "Delete all.") {
    return out.interrupt({ id: `question_${input.length}`, reason: "confirmation", text: "Really?", payload: null });
  }
  return out.message().text().delta(`You said: ${text}`);
}

const handler = createHandler({ adapters: [agentApiAdapter(), agKitAdapter(), agUiAdapter(), responsesAdapter(), a2aAdapter({ name: "n", description: "d" })], agent, onError: (error) => console.error(error) });
const page = { fetch, Request };
let folder;

before(async () => {
  // Inside the repository, so that the package is found.
  folder = await mkdtemp(join(root, "node_modules/.asking-"));
  await build({ entryPoints: PROTOCOLS.map((name) => join(root, `examples/asking/${name}.ts`)), outdir: folder, outExtension: { ".js": ".mjs" }, logLevel: "warning" });
  // A page has an address, to which others are relative.
  globalThis.Request = class extends page.Request {
    constructor(input, init) {
      super(typeof input === "string" ? new URL(input, "http://127.0.0.1") : input, init);
    }
  };
  globalThis.fetch = (input, init) => handler(new Request(input, init));
});

after(async () => {
  Object.assign(globalThis, page);
  await rm(folder, { recursive: true, force: true });
});

test("they have the types that the package declares", async () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", join(root, "examples/asking")]).catch(({ stdout }) => assert.fail(stdout));
});

/** The texts of an answer, whatever its protocol. */
function textsOf(snapshot) {
  const { messages, parts, output, task } = snapshot;
  const last = messages?.at(-1) ?? { content: "" };
  const pieces = parts ?? output?.flatMap(({ content }) => content ?? []) ?? task?.artifacts?.flatMap(({ parts }) => parts) ?? [{ text: last.content }];
  return pieces.map(({ text }) => text ?? "").join("");
}

for (const name of PROTOCOLS) {
  describe(`examples/asking/${name}.ts`, () => {
    async function talk() {
      const { ask } = await import(join(folder, `${name}.mjs`));
      const painted = [];
      const tools = { paint: (value) => (painted.push(value), "painted") };
      const conversation = createConversation({ request: ask, tools, keepAlive: true });
      const said = async (message) => {
        message === undefined || conversation.send(message);
        const { status, error, turns, pending } = await conversation.finished();
        assert.deepEqual([status, error, turns.at(-1).report.violations], ["done", undefined, []]);
        return { text: textsOf(turns.at(-1).snapshot), turns: turns.length, pending };
      };
      return { conversation, said, painted };
    }

    test("turn after turn", async () => {
      const { said } = await talk();
      assert.equal((await said("One.")).text, "You said: One.");
      assert.deepEqual(await said("Two."), { text: "You said: Two.", turns: 2, pending: [] });
    });

    // The tools of an agent of A2A are its own: its requests have none.
    test("a tool of the page is run, and its result sent", { skip: name === "a2a" && "A2A has no tools of the client" }, async () => {
      const { said, painted } = await talk();
      assert.deepEqual(await said("Paint it."), { text: "The page says painted.", turns: 2, pending: [] });
      assert.deepEqual(painted, [{ color: "teal" }]);
      assert.equal((await said("Thanks.")).text, "You said: Thanks.");
    });

    test("a question is answered, declined, and passed by", async () => {
      const { conversation, said } = await talk();
      for (const [answer, text] of [["approve", "They are gone."], ["decline", "They stay."]]) {
        const { pending } = await said("Delete all.");
        assert.deepEqual(pending.map(({ kind }) => kind), ["approval"]);
        conversation[answer](pending[0].id);
        assert.equal((await said()).text, text);
      }
      assert.equal((await said("Delete all.")).pending.length, 1);
      // AG-UI's servers want every question answered: that it is cancelled comes with the message, and this agent hears it as the last word.
      assert.equal((await said("Never mind.")).text, name === "ag_ui" ? "They stay." : "You said: Never mind.");
    });
  });
}
