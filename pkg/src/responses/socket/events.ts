// The events of Responses as messages of a WebSocket: the JSON that server-sent events have as data.

import { stringifyJson } from "../../core/json.js";

/** The data of an event that ends a response, by the type in front of it. */
const TERMINAL =
  /^\{\s*"type"\s*:\s*"(?:response\.(?:completed|failed|incomplete|cancelled)|error)"/;

/** Whether an event may end the stream. Its type is the first member, as OpenAI and agentwire write it. */
export function mayEnd(data: string): boolean {
  return TERMINAL.test(data);
}

/** Returns the data of an `error` event, with the status that the response would have. */
export function errorEvent(status: number, error: object, lane: Lane): string {
  return inLane(stringifyJson({ type: "error", status, error }), lane);
}

/** The body of a request. */
export type Body = { readonly [name: string]: unknown };

/** The `stream_id` of a request, which all events of its response have. */
export type Lane = string | undefined;

/** Returns the data of an event with the `stream_id` of its request. */
export function inLane(data: string, lane: Lane): string {
  return lane === undefined
    ? data
    : data.replace(/\}\s*$/, `,"stream_id":${JSON.stringify(lane)}}`);
}

/** Takes the data of server-sent events from the chunks of a body. Comments and names are dropped. */
export class EventData {
  readonly #decoder = new TextDecoder();
  #rest = "";

  /** Returns the data of the events that a chunk completes. */
  push(chunk: Uint8Array): readonly string[] {
    this.#rest += this.#decoder.decode(chunk, { stream: true });
    const events = this.#rest.split("\n\n");
    this.#rest = events.pop()!;
    return events.map(dataOf).filter((data) => data !== "" && data !== "[DONE]");
  }
}

function dataOf(event: string): string {
  return event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(line.startsWith("data: ") ? 6 : 5))
    .join("\n");
}
