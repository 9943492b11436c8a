// What the adapters of OpenAI's APIs share: errors, and answers that are not streams.

import { toolkit } from "../core/wasm.js";
import type { RefusedError } from "./adapter.js";

/** Returns an error response in the format that OpenAI's clients read. */
export function openAiError({ status, code, message }: RefusedError): object {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return JSON.parse(toolkit().call("openAiError", message, type, code)) as object;
}

/** Returns the data of the last event of a stream. */
export async function lastEvent(stream: Response): Promise<string> {
  const text = `\n${await stream.text()}`;
  const at = text.lastIndexOf("\ndata: ");
  if (at < 0) {
    throw new Error("the run was stopped before its answer had an event");
  }
  return text.slice(at + "\ndata: ".length).split("\n", 1)[0]!;
}

/** Returns an HTTP response with a JSON object in place of a stream. */
export function inPlaceOf(stream: Response, body: string, status = stream.status): Response {
  const headers = new Headers(stream.headers);
  headers.set("content-type", "application/json");
  return new Response(body, { status, headers });
}
