// The answer after an approval. Official servers send the output of an approved call in the next
// stream, without the call: the reader receives the call in front of it.

import type { AiSdkMessage } from "../agentwire.js";
import type { Exchange } from "../connect/exchange.js";
import { stringifyJson } from "../core/json.js";
import { type AnyPart, toolOf } from "./protocol.js";

/** The number of bytes that are held back until the first event is complete. */
const MAX_HELD_BYTES = 64 * 1024;

/**
 * Returns the response with the calls of an answer behind its first event, if their questions have
 * replies.
 */
export function withCalls(
  response: Response,
  { snapshot, replies }: Exchange<AiSdkMessage>,
): Response {
  const decided = new Set(
    replies
      .filter(({ kind, isDropped }) => kind === "approval" && isDropped !== true)
      .map(({ id }) => id),
  );
  const calls = ((snapshot?.parts ?? []) as readonly AnyPart[]).filter(
    (part) =>
      toolOf(part) !== undefined &&
      decided.has((part.approval as { readonly id?: string } | undefined)?.id ?? ""),
  );
  const isStream =
    response.ok &&
    response.body !== null &&
    /^text\/event-stream/i.test(response.headers.get("content-type") ?? "");
  if (calls.length === 0 || !isStream) {
    return response;
  }
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(insertion(calls.map(chunkOf).join(""))), {
    status,
    statusText,
    headers,
  });
}

/** Returns the event with a call. The server executes it. */
function chunkOf(part: AnyPart): string {
  const { toolCallId, input = {} } = part;
  const chunk = {
    type: "tool-input-available",
    toolCallId,
    toolName: toolOf(part),
    input,
    dynamic: part.type === "dynamic-tool",
    providerExecuted: true,
  };
  return `data: ${stringifyJson(chunk)}\n\n`;
}

/** Inserts events behind the first event if it begins the message, otherwise in front of it. */
function insertion(events: string): TransformStream<Uint8Array, Uint8Array> {
  const inserted = new TextEncoder().encode(events);
  let held: Uint8Array = new Uint8Array();
  let isInserted = false;
  const insert = (out: TransformStreamDefaultController<Uint8Array>): void => {
    isInserted = true;
    const end = endOfEvent(held);
    const isStart =
      end > 0 && /"type"\s*:\s*"start"/.test(new TextDecoder().decode(held.subarray(0, end)));
    const at = isStart ? end : 0;
    [held.subarray(0, at), inserted, held.subarray(at)]
      .filter(({ length }) => length > 0)
      .forEach((bytes) => out.enqueue(bytes));
  };
  return new TransformStream({
    transform(chunk, out) {
      if (isInserted) {
        return out.enqueue(chunk);
      }
      const bytes = new Uint8Array(held.length + chunk.length);
      bytes.set(held);
      bytes.set(chunk, held.length);
      held = bytes;
      if (endOfEvent(held) > 0 || held.length > MAX_HELD_BYTES) {
        insert(out);
      }
    },
    flush(out) {
      if (!isInserted) {
        insert(out);
      }
    },
  });
}

/** Returns the end of the first event; 0 while it is incomplete. */
function endOfEvent(bytes: Uint8Array): number {
  for (let at = 1; at < bytes.length; at++) {
    const isBreak =
      bytes[at] === LF && (bytes[at - 1] === LF || (bytes[at - 1] === CR && bytes[at - 2] === LF));
    if (isBreak) {
      return at + 1;
    }
  }
  return 0;
}

const [LF, CR] = [10, 13];

/** Returns a call with the outcome that a later part of the same call has. */
export function withOutcome(part: AnyPart, later: AnyPart): AnyPart {
  const { state, output, errorText } = later;
  return state?.startsWith("output-")
    ? ({
        ...part,
        state,
        ...(output !== undefined && { output }),
        ...(errorText !== undefined && { errorText }),
      } as AnyPart)
    : part;
}
