// Records the corpus `tests/data/corpus/agentscope` again: streams of the real service, and what its
// library makes of them.
//
//     PYTHON=venv/bin/python node tests/js/official_clients/agentscope/record.mjs [case …]
//
// The environment of PYTHON has `agentscope[full]==2.0.11` and `aiosqlite`. The snapshots are not
// written: compare them with `client.json`.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Service, python } from "./service.mjs";

const CORPUS = join(import.meta.dirname, "../../../data/corpus/agentscope");

/** A result of the client for a call. */
const executed = (id, name, text) => ({
  type: "tool_result",
  id,
  name,
  output: [{ type: "text", text }],
  state: "success",
});
const confirmed = (confirmed, ...calls) => ({
  type: "USER_CONFIRM_RESULT",
  confirm_results: calls.map(([id, name, input]) => ({
    confirmed,
    tool_call: { type: "tool_call", id, name, input },
  })),
});
const results = (...execution_results) => ({
  type: "EXTERNAL_EXECUTION_RESULT",
  execution_results,
});
const A = ["c1", "delete", '{"path": "a.txt"}'];
const B = ["c2", "delete", '{"path": "b.txt"}'];
const PAGE = executed("c1", "browser", "hi");

/** The cases: what the user says, and how the reply that waits is continued, in the order of streams. */
const CASES = {
  text: ["text", "a text in three pieces"],
  empty: ["empty", "a text without a character"],
  unicode: ["unicode", "characters of all planes, and a line separator"],
  thinking: ["thinking", "reasoning and a text"],
  tool: ["tool", "a tool of the agent, between two calls of the model"],
  two_tools: ["two", "two calls whose events overlap"],
  tool_error: ["failing", "a tool that fails"],
  tool_picture: ["picture", "a result with a text and an image"],
  tool_pieces: ["progress", "a result in pieces"],
  invalid_input: ["invalid", "an input that its schema refuses"],
  unknown_tool: ["unknown", "a tool that the agent does not have"],
  confirm: ["confirm", "a call that waits for the user"],
  confirm_allowed: ["confirm", "the reply continues after a confirmation", confirmed(true, A)],
  confirm_denied: ["confirm", "the reply continues after a refusal", confirmed(false, A)],
  confirm_two: ["confirm two", "two calls, of which the user is asked about the first"],
  confirm_two_asked: [
    "confirm two",
    "the reply continues, and the user is asked about the second",
    confirmed(true, A),
  ],
  external: ["external", "a call that waits for the client"],
  external_result: ["external", "the reply continues after an execution", results(PAGE)],
  mixed: [
    "mixed",
    "a call of the agent, one that waits for the user, one that waits for the client",
  ],
  image: ["image", "an image in pieces, each of which is base64 by itself"],
  file: ["file", "a file by its URL"],
  audio: ["audio", "sound whose pieces do not fill groups of base64"],
  error: ["error", "the model fails after a piece of text"],
  error_first: ["error first", "the model fails before any text"],
  interrupted: ["slow", "the user stops the reply"],
  exceeded: ["loop", "the agent exceeds its iterations"],
};

const wanted = process.argv.slice(2);
const service = await Service.start();
try {
  for (const [name, [says, note, input]] of Object.entries(CASES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const session = await service.session();
    const first = await session.say(says, name === "interrupted" ? { stopAfter: 8 } : {});
    const { stream, request } = input === undefined ? first : await session.continue(input);
    const folder = join(CORPUS, name);
    await mkdir(folder, { recursive: true });
    const json = (file, value) =>
      writeFile(join(folder, file), `${JSON.stringify(value, undefined, 1)}\n`);
    await writeFile(join(folder, "stream.sse"), stream);
    await json("request.json", request);
    await json("client.json", await python("client.py", stream));
    await json("case.json", {
      protocol: "agentscope",
      kind: "read",
      note,
      provenance: { origin: "recorded", from: "agentscope 2.0.11", script: says },
      ended: { error: "error-frame", error_first: "error-frame" }[name] ?? "terminal",
    });
    console.log(name, stream.split("\n\n").length - 1, "events");
  }
} finally {
  service.stop();
}
