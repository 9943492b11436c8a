// Streams of protocols that are recognised and not read, in `tests/others`: `read` names them and reports each as illegal.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { read } from "agentwire";

const OTHERS = new URL("../../others/", import.meta.url);
const TITLES = {
  "chat-completions": "OpenAI Chat Completions",
  "anthropic-messages": "Anthropic Messages",
  gemini: "Gemini",
};

for (const [folder, title] of Object.entries(TITLES)) {
  test(`\`auto\` names ${title}`, async () => {
    for (const file of readdirSync(new URL(`${folder}/`, OTHERS))) {
      const stream = new Response(readFileSync(new URL(`${folder}/${file}`, OTHERS)), { headers: { "content-type": "text/event-stream" } });
      const { report } = await read(stream, { protocol: "auto" }).finished();
      const [{ rule, severity, actual }, ...more] = report.violations;
      assert.deepEqual([rule, severity, actual, more.length, report.endReason], ["unknown-protocol", "error", `what looks like ${title}, which is not read`, 0, "refused"], file);
    }
  });
}

test("a wrong protocol is answered with the right one", async () => {
  const stream = new Response('data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n', { headers: { "content-type": "text/event-stream" } });
  const { report } = await read(stream, { protocol: "agent-api" }).finished();
  assert.equal(report.violations[0].actual, "what looks like AG-UI: use protocol `ag-ui`");
});
