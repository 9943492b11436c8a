// The module of `agentwire/ag-ui` does not contain the binary form of AG-UI, that of
// `agentwire/reader` does. Neither imports the toolkit, which would replace both.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agUi from "agentwire/ag-ui";
import * as reader from "agentwire/reader";

const stream = await readFile(
  new URL("../../../data/corpus/ag-ui/binary_all_kinds/stream.bin", import.meta.url),
);
const response = () =>
  new Response(stream, { headers: { "content-type": "application/vnd.ag-ui.event+proto" } });

test("agentwire/reader reads binary streams, by content type and by option", async () => {
  const { snapshot, report } = await reader.read(response(), { protocol: "ag-ui" }).finished();
  assert.deepEqual(report.violations, []);
  const decoder = new reader.Decoder({ protocol: "ag-ui", framing: "length-prefixed" });
  decoder.push(new Uint8Array(stream));
  assert.deepEqual(decoder.finish().snapshot, snapshot);
  assert.ok(snapshot.messages.length > 0);
});

test("agentwire/ag-ui rejects binary streams", async () => {
  await assert.rejects(agUi.read(response()).finished(), { code: "content-type" });
  await assert.rejects(agUi.events(response()).next(), { code: "content-type" });
  const where = { code: "wrong-option", message: /agentwire\/reader/ };
  assert.throws(() => new agUi.Decoder({ framing: "length-prefixed" }), where);
  assert.throws(() => new agUi.EventDecoder({ framing: "length-prefixed" }), where);
  assert.throws(() => agUi.read(response(), { framing: "length-prefixed" }), where);
});
