// What the package gives is what its types say: every recorded stream against the schemas that are made of the declarations.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import * as agentwire from "agentwire";
import { writeShapes } from "../support/shapes.mjs";
import { cases } from "./cases.mjs";
import { misshapen } from "./shapes.mjs";

const shapes = await import(pathToFileURL(await writeShapes()));

test("every update, outcome and event of the corpora has its type", async () => {
  for (const wanted of await cases()) {
    assert.deepEqual(misshapen(agentwire, shapes, wanted), [], wanted.path);
  }
});

test("what has another type is noticed", () => {
  const { snapshot } = (() => {
    const decoder = new agentwire.Decoder();
    decoder.push(new TextEncoder().encode('data: {"object":"content","type":"text","msg_id":"m","index":0,"text":"a"}\n\n'));
    return decoder.update();
  })();
  const [message] = snapshot.output;
  const update = (content) => ({
    protocol: "agent-api",
    changes: [],
    violations: [],
    toolCalls: [],
    ended: false,
    snapshot: { ...snapshot, output: [{ ...message, content: [{ ...message.content[0], ...content }] }] },
  });
  assert.equal(shapes.agent_api_update(update({})), true);
  assert.equal(shapes.agent_api_update(update({ type: "hologram", depth: 3 })), true);
  assert.equal(shapes.agent_api_update(update({ text: 5 })), false);
  assert.equal(shapes.agent_api_update(update({ index: "0" })), false);
  assert.equal(shapes.agent_api_update({ ...update({}), changes: [{ kind: "append", path: ["output"] }] }), false);
  assert.equal(shapes.ag_kit_event({ type: "text" }), false);
  assert.equal(shapes.ag_kit_event({ type: "hologram" }), true);
});
