// JSON in which integers of any size stay exact.
//
// JavaScript's own reader rounds integers beyond 2^53. The core therefore marks them: a string of U+0001 and the
// digits; a string that itself begins with U+0001 gets one more. Here the marks become `bigint`.

import type { Content, Json, Message, Response } from "./agentwire.js";

const MARK = "\u0001";
const SAFE = 2n ** 53n;

/** Parses JSON like `JSON.parse`, but integers beyond ±2^53 become `bigint` and stay exact. Throws `SyntaxError`. */
export function parseJson(text: string): Json {
  return /\d{16}/.test(text) ? parseMarked(marked(text), true) : JSON.parse(text);
}

/** Writes JSON, or a part of an answer, like `JSON.stringify`, with a `bigint` as its digits. */
export function stringify(value: Json | Response | Message | Content): string {
  try {
    return JSON.stringify(value);
  } catch {
    // It refuses a `bigint`, which few values hold: so the slow way is the exception.
    return written(value as Json);
  }
}

/** Parses what the core has marked. With `exact` false, big integers become the nearest numbers. */
export function parseMarked(text: string, exact: boolean): Json {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== "string" || !value.startsWith(MARK)) {
      return value;
    }
    const rest = value.slice(1);
    return rest.startsWith(MARK) ? rest : exact ? BigInt(rest) : Number(rest);
  });
}

/** Marks a text as the core does, for texts that never were in the core. */
function marked(text: string): string {
  return text.replace(/(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*)(\s*:)?/g, (token, colon?: string) => {
    if (colon !== undefined) {
      return token;
    }
    if (token.startsWith('"')) {
      return token.startsWith('"\\u0001') ? `"\\u0001${token.slice(1)}` : token;
    }
    return isBig(token) ? `"\\u0001${token}"` : token;
  });
}

function isBig(digits: string): boolean {
  // What has a leading zero is no JSON, and stays to be refused.
  if (!/^-?[1-9]\d{15,}$/.test(digits)) {
    return false;
  }
  const integer = BigInt(digits);
  return integer > SAFE || integer < -SAFE;
}

/** Adds as `json::add` does in Rust: integers exactly, everything else as floats; a sum beyond those changes nothing. */
export function sum(held: unknown, summand: unknown, float: boolean): unknown {
  if (!isNumber(held) || !isNumber(summand)) {
    return held;
  }
  if (float) {
    const sum = Number(held) + Number(summand);
    return Number.isFinite(sum) ? sum : held;
  }
  const sum = BigInt(held) + BigInt(summand);
  return sum > SAFE || sum < -SAFE ? sum : Number(sum);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function written(value: Json): string {
  if (typeof value === "bigint") {
    return value.toString();
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item: Json) => written(item ?? null)).join()}]`;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`).join()}}`;
}
