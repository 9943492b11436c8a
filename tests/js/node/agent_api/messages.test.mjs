// The documented methods of a growing message, compared with the official library; and the
// enumerations.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { AgentwireError } from "agentwire";
import {
  addContent,
  addDeltaContent,
  CONTENT_TYPES,
  contentCompleted,
  MESSAGE_TYPES,
  ROLES,
  RUN_STATUSES,
} from "agentwire/agent-api";

const root = new URL("../../../../", import.meta.url);
const corpus = new URL("tests/data/corpus/agent-api/", root);

/**
 * Properties of stored contents that the official library leaves null, because it does not stamp
 * the copies that it stores.
 */
const UNSTAMPED = ["status", "delta", "index", "msg_id"];
const unstamped = (content) =>
  (content ?? []).map((part) => ({
    ...part,
    ...Object.fromEntries(UNSTAMPED.map((name) => [name, null])),
  }));

/** An index counts from the front here, and the message differs after this step. (R24.) */
const REFUSED = ["accumulate_04_negative_index"];

test("the methods return and store the same values as the official library", async () => {
  const methods = {
    add_delta_content: addDeltaContent,
    add_content: addContent,
    content_completed: contentCompleted,
  };
  const names = (await readdir(corpus)).filter((name) => name.startsWith("accumulate_"));
  assert.ok(names.length >= 8, `${names.length} cases`);
  const refused = [];
  for (const name of names) {
    const { initial, steps } = JSON.parse(
      await readFile(new URL(`${name}/steps.json`, corpus), "utf8"),
    );
    for (const [at, { op, arg, returned, raised, message_after }] of steps.entries()) {
      const place = `${name}, step ${at}`;
      let result;
      try {
        result = methods[op](initial, arg);
      } catch (error) {
        assert.ok(error instanceof AgentwireError, place);
        if (raised === undefined) {
          refused.push(name);
          break;
        }
        continue;
      }
      assert.equal(raised, undefined, `${place}: the original raises an error`);
      assert.deepEqual(result ?? null, returned, place);
      assert.deepEqual(unstamped(initial.content), unstamped(message_after.content), place);
    }
  }
  assert.deepEqual(refused, REFUSED);
});

test("stored and returned values do not share objects with the arguments", () => {
  const message = { id: "m" };
  const given = { type: "data", data: { list: [1] } };
  const event = addDeltaContent(message, given);
  given.data.list.push(2);
  event.data.list.push(3);
  assert.deepEqual(message.content[0].data, { list: [1] });
  addDeltaContent(message, { type: "data", index: 0, delta: true, data: { list: [4] } });
  contentCompleted(message, 0).data.list.push(5);
  assert.deepEqual(message.content[0].data, { list: [1, 4] });
});

test("content that cannot be added is rejected with a code", () => {
  const message = {
    content: [
      { type: "text", index: 0, text: "a" },
      { type: "data", index: 1, data: null },
    ],
  };
  const refused = (piece, code) =>
    assert.throws(
      () => addDeltaContent(message, { delta: true, ...piece }),
      (error) => error instanceof AgentwireError && error.code === code,
    );
  refused({ index: 7, type: "text", text: "b" }, "no-such-part");
  refused({ index: 0, type: "data", data: {} }, "wrong-content-type");
  refused({ index: 1, type: "data", data: {} }, "null-piece");
  refused({ index: 0, type: "text" }, "null-piece");
  assert.throws(() => addContent("message", {}), { code: "wrong-argument" });
});

test("the enumerations contain the documented values", () => {
  const documented = {
    ROLES: "assistant user system tool",
    RUN_STATUSES:
      "created in_progress completed canceled failed rejected unknown queued incomplete",
    CONTENT_TYPES: "text data image audio file refusal video",
    MESSAGE_TYPES:
      "message function_call function_call_output plugin_call plugin_call_output component_call component_call_output mcp_list_tools " +
      "mcp_approval_request mcp_call mcp_approval_response mcp_call_output reasoning heartbeat error a2ui_response a2ui_action",
  };
  const lists = { ROLES, RUN_STATUSES, CONTENT_TYPES, MESSAGE_TYPES };
  for (const [name, words] of Object.entries(lists)) {
    assert.equal(words.join(" "), documented[name], name);
  }
});
