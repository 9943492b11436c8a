// The errors of OpenAI's APIs.

import { toolkit } from "../core/wasm.js";
import type { RefusedError } from "./adapter.js";

/** Returns an error response in the format that OpenAI's clients read. */
export function openAiError({ status, code, message }: RefusedError): object {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return JSON.parse(toolkit().call("openAiError", message, type, code)) as object;
}
