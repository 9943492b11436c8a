// Whether an answer to a question approves: the rules of `src/core/request/decision.rs`, for answers that do not cross to the core.

import type { Json } from "./agentwire.js";

type Members = { readonly [name: string]: Json | undefined };

const ACCEPT = /^(?:accept(?:ed)?|allow(?:ed)?|confirm(?:ed)?|ok)$/i;
const DECLINE = /^(?:reject(?:ed)?|decline(?:d)?|deny|denied|refuse(?:d)?|cancel|cancell?ed|abort(?:ed)?)$/i;
const VERDICT = /^(?:decision|verdict)$/i;
const WORDED = /^(?:action|answer|choice|outcome|response|result|status|type)$/i;
const YES = /^(?:approve(?:d)?|yes|accept(?:ed)?|allow(?:ed)?|confirm(?:ed)?|ok|true)$/i;
const NO = /^(?:no|false)$/i;

/** Whether an object approves: one of its members says so, and none contradicts it. */
export function approves(answer: Members): boolean {
  const said = [answer["approve"], answer["approved"]].filter((value) => value !== undefined);
  return said.length > 0 && said.every((value) => value === true) && !Object.entries(answer).some(contradicts);
}

/** Whether a member beside an approval does not approve. */
function contradicts([name, value]: [string, Json | undefined]): boolean {
  const word = typeof value === "string" ? value.trim() : "";
  if (value == null) {
    return false;
  }
  if (ACCEPT.test(name)) {
    return value === false;
  }
  if (DECLINE.test(name)) {
    return value !== false;
  }
  if (VERDICT.test(name)) {
    return value !== true && !YES.test(word);
  }
  if (WORDED.test(name)) {
    return value === false || DECLINE.test(word) || NO.test(word);
  }
  if (name === "payload" && typeof value === "object" && !Array.isArray(value)) {
    const { approve, approved } = value as Members;
    return [approve, approved].some((said) => said !== undefined && said !== true) || Object.entries(value).some(contradicts);
  }
  return false;
}
