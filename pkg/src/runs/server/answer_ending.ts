// The frames that end an answer that was cut off, in each protocol.

import type { Json } from "../../agentwire.js";
import { stringifyJson } from "../../core/json.js";
import type { Snapshots } from "../../core/outcome.js";
import { Decoder } from "../../convert/read_as.js";
import { runErrorEvent } from "../service.js";
import type { RunFailure } from "./driver.js";
import { dataIn, failedUpdate } from "./task_frames.js";

const encoder = new TextEncoder();

/**
 * Returns the frames that end an answer with these frames, valid in its protocol. A protocol that
 * is not one of this package gets none.
 */
export function endFrames(frames: readonly string[], { code, message }: RunFailure): string[] {
  const reader = new Decoder({ protocol: "auto" });
  reader.push(encoder.encode(frames.join("")));
  const isOwn = reader.protocol !== undefined;
  const { protocol, snapshot } = reader.finish();
  switch (isOwn ? protocol : undefined) {
    case "ag-ui":
      return [frame(runErrorEvent(code, message))];
    case "agentscope": {
      const { id: reply_id, session_id } = snapshot as Snapshots["agentscope"]["answer"];
      const error = { type: code === "AGENT_ERROR" ? "internal" : "unknown", message };
      const event = { type: "REPLY_END", reply_id, session_id, finished_reason: "error", error };
      return [frame(JSON.stringify(event))];
    }
    case "ag-kit":
      return [frame(JSON.stringify({ type: "error", error: message })), frame("[DONE]")];
    case "chat": {
      const type = "server_error";
      const error = { message, type, param: null, code };
      return [frame(JSON.stringify({ error })), frame("[DONE]")];
    }
    case "anthropic": {
      const error = { type: "api_error", message };
      return [`event: error\n${frame(JSON.stringify({ type: "error", error }))}`];
    }
    case "ai-sdk":
      return [
        { type: "error", errorText: message },
        { type: "finish", finishReason: "error" },
      ]
        .map((part) => frame(JSON.stringify(part)))
        .concat(frame("[DONE]"));
    case "agent-api": {
      const { output, ...response } = snapshot as Snapshots["agent-api"]["answer"];
      const { sequence_number: last = -1 } = dataIn(frames.at(-1)!);
      const event = {
        ...response,
        sequence_number: Number(last) + 1,
        object: "response",
        status: "failed",
        error: { code, message },
        output: incomplete(output),
      };
      return [frame(stringifyJson(event as unknown as Json))];
    }
    case "responses": {
      const { output, ...own } = snapshot as Snapshots["responses"]["answer"];
      const response = {
        ...own,
        status: "failed",
        error: { code, message },
        output: output && incomplete(output),
      };
      const data = stringifyJson({
        type: "response.failed",
        sequence_number: frames.length,
        response,
      } as unknown as Json);
      return [`event: response.failed\n${frame(data)}`];
    }
    case "a2a": {
      const { id: taskId = "", contextId = "" } =
        (snapshot as Snapshots["a2a"]["answer"]).task ?? {};
      return [failedUpdate(taskId, contextId, { code, message })];
    }
    default:
      return [];
  }
}

/** Returns the items; those in progress are incomplete. */
function incomplete(items: readonly object[]): object[] {
  return items.map((item) =>
    (item as { status?: unknown }).status === "in_progress"
      ? { ...item, status: "incomplete" }
      : item,
  );
}

const frame = (data: string): string => `data: ${data}\n\n`;
