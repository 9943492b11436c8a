// A run in the terminal: the result of a tool is printed before the text of the agent about it,
// also if one update contains both.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { read } from "agentwire";
import { printRun } from "../../../../www/terminal.mjs";

const stream = await readFile(
  new URL(
    "../../../data/corpus/agent-api/61_agentscope_thinking_text_tool/stream.sse",
    import.meta.url,
  ),
);

/** Returns the output for a stream that arrives in these chunks. */
async function printed(chunks, { mock }) {
  const written = [];
  const writing = mock.method(process.stdout, "write", (text) => written.push(text) > 0);
  try {
    await printRun(read(ReadableStream.from(chunks), { protocol: "agent-api" }));
  } finally {
    writing.mock.restore();
  }
  return written.join("");
}

test("the output is the same in one chunk and event by event", async (context) => {
  const events = stream
    .toString()
    .split(/(?<=\n\n)/)
    .map((event) => Buffer.from(event));
  const whole = await printed([stream], context);
  assert.match(whole, /tool[^]*→[^]*assistant/);
  assert.equal(whole, await printed(events, context));
});
