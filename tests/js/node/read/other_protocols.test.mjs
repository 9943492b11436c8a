// A stream that is read as another protocol than its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "agentwire";

test("the violation for a wrong protocol names the right one", async () => {
  const stream = new Response('data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n', {
    headers: { "content-type": "text/event-stream" },
  });
  const { report } = await read(stream, { protocol: "agent-api" }).finished();
  assert.equal(report.violations[0].actual, "what looks like AG-UI: use protocol `ag-ui`");
});
