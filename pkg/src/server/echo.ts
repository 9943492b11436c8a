// The members of a request that its answer depends on.

import type { Json } from "../agentwire.js";
import type { TextFunction } from "../convert/request.js";
import { check } from "../core/arguments.js";
import { jsonText } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { accepted } from "../http/request.js";

/** Returns these members. `called` is the function for errors, `name` that of the core. */
export function echoOf(
  called: string,
  name: TextFunction,
  request: object,
): { [key: string]: Json } {
  check(called, { request: "object" }, [request]);
  return accepted(toolkit().call(name, jsonText(request)))[0] as { [key: string]: Json };
}
