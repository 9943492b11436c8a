// The rules for whether an answer approves a question, as in `src/core/request/decision.rs`, for answers that the core
// does not receive.

import type { Json } from "./agentwire.js";

type Members = { readonly [name: string]: Json | undefined };

const APPROVE = /^approved?$/i;
const ACCEPT = /^(?:accept(?:ed)?|allow(?:ed)?|confirm(?:ed)?|ok)$/i;
const DECLINE = /^(?:reject(?:ed)?|decline(?:d)?|deny|denied|refuse(?:d)?|cancel|cancell?ed|abort(?:ed)?)$/i;
const DECISIONS = /^decisions$/i;
const VERDICT = /^(?:decision|verdict)$/i;
const WORDED = /^(?:action|answer|choice|outcome|response|result|status|type)$/i;
const YES = /^(?:approve(?:d)?|yes|accept(?:ed)?|allow(?:ed)?|confirm(?:ed)?|ok|true)$/i;
const NO = /^(?:no|false)$/i;

/** Returns whether an object approves: `approve` or `approved` is true, and no other property contradicts it. */
export function approves(answer: Members): boolean {
  const said = [answer["approve"], answer["approved"]].filter((value) => value !== undefined);
  return said.length > 0 && said.every((value) => value === true) && !Object.entries(answer).some(contradicts);
}

/** Returns whether a property contradicts an approval. */
function contradicts([name, value]: [string, Json | undefined]): boolean {
  const word = typeof value === "string" ? value.trim() : "";
  if (value == null) {
    return false;
  }
  if (APPROVE.test(name) && name !== "approve" && name !== "approved") {
    return value !== true;
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
  if (DECISIONS.test(name) && Array.isArray(value)) {
    return value.some(declines);
  }
  if (name === "payload" && typeof value === "object" && !Array.isArray(value)) {
    const { approve, approved } = value as Members;
    return [approve, approved].some((said) => said !== undefined && said !== true) || Object.entries(value).some(contradicts);
  }
  return false;
}

/** Returns whether one of several answers does not approve. */
function declines(answer: Json): boolean {
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) {
    return Object.entries(answer as Members).some(contradicts);
  }
  return typeof answer === "string" ? !YES.test(answer.trim()) : answer !== true;
}
