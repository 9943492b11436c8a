// The values of the package have their declared types: every recorded stream against the schemas
// that are generated from the declarations.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import * as agentwire from "agentwire";
import { writeShapes } from "../../support/shapes.mjs";
import { cases } from "../support/cases.mjs";
import { misshapen } from "../support/shapes.mjs";

const shapes = await import(pathToFileURL(await writeShapes()));

test("every update, outcome and event of the corpus has its declared type", async () => {
  for (const wanted of await cases()) {
    assert.deepEqual(misshapen(agentwire, shapes, wanted), [], wanted.path);
  }
});

test("a value of a wrong type is detected", () => {
  const { snapshot } = (() => {
    const decoder = new agentwire.Decoder();
    decoder.push(
      new TextEncoder().encode(
        'data: {"object":"content","type":"text","msg_id":"m","index":0,"text":"a"}\n\n',
      ),
    );
    return decoder.update();
  })();
  const [message] = snapshot.output;
  const update = (content) => ({
    protocol: "agent-api",
    changes: [],
    violations: [],
    toolCalls: [],
    isFinal: false,
    snapshot: {
      ...snapshot,
      output: [{ ...message, content: [{ ...message.content[0], ...content }] }],
    },
  });
  for (const [content, isRight] of [
    [{}, true],
    [{ type: "hologram", depth: 3 }, true],
    [{ text: 5 }, false],
    [{ index: "0" }, false],
    [{ type: "video" }, false],
    [{ msg_id: undefined }, false],
  ]) {
    const changed = JSON.parse(JSON.stringify(update(content)));
    assert.equal(shapes.agent_api_update(changed), isRight, JSON.stringify(content));
    assert.equal(
      shapes.agent_api_declared_answer(changed.snapshot),
      isRight,
      JSON.stringify(content),
    );
  }
  assert.equal(
    shapes.agent_api_update({ ...update({}), changes: [{ kind: "append", path: ["output"] }] }),
    false,
  );
  for (const isEvent of [shapes.ag_kit_event, shapes.ag_kit_declared_event]) {
    assert.equal(isEvent({ type: "text" }), false);
    assert.equal(isEvent({ type: "text", content: 5 }), false);
    assert.equal(isEvent({ type: "hologram" }), true);
  }
});
