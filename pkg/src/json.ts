// JSON in which integers stay exact that a number cannot hold, up to the 4,300 digits that Python reads. Making a `bigint`
// of more takes longer than reading the stream: these become the nearest number, as `JSON.parse` has it.
//
// JavaScript's own reader rounds integers beyond 2^53. So they are marked before it reads: a string of U+0001 and the
// digits; a string that itself begins with U+0001 gets one more. Afterwards the marks become `bigint`.

import type { Json } from "./agentwire.js";
import { AgentwireError } from "./errors.js";

const MARK = "\u0001";
const ESCAPED_MARK = '"\\u0001';
const SAFE = 2n ** 53n;
/** Every integer beyond that has so many digits. */
const DIGITS = 16;

/** What an integer that a number may not hold looks like; nearly every text has none. */
const LONG = /(?:^|[\s:,[])-?[1-9]\d{15,}(?![\d.eE])/;

/**
 * Parses JSON like `JSON.parse`, but integers beyond ±2^53, of up to 4,300 digits, become `bigint` and stay exact.
 *
 * @throws AgentwireError `not-json`, whose `cause` is the `SyntaxError`
 */
export function parseJson(text: string): Json {
  try {
    return LONG.test(text) ? (unmarked(JSON.parse(marked(text))) as Json) : JSON.parse(text);
  } catch (cause) {
    throw new AgentwireError("not-json", (cause as Error).message, { cause });
  }
}

/** What is no JSON by itself. Inside an object it is left out, as `JSON.stringify` does. */
type NoJson = undefined | symbol | ((...given: never[]) => unknown);

/**
 * Writes JSON, an answer or a request like `JSON.stringify`, with a `bigint` as its digits.
 *
 * @throws AgentwireError `not-json` for what JSON does not have
 */
export function stringifyJson<T>(value: T extends NoJson ? never : T): string {
  try {
    return JSON.stringify(value);
  } catch {
    // It refuses a `bigint`, which few values hold: so the slow way is the exception.
    try {
      return written(value as Json);
    } catch (cause) {
      throw new AgentwireError("not-json", `not a value that JSON has: ${(cause as Error).message}`, { cause });
    }
  }
}

/** In place, and not by the second argument of `JSON.parse`, which takes twice as long. */
function unmarked(value: unknown): unknown {
  if (typeof value === "string") {
    if (!value.startsWith(MARK)) {
      return value;
    }
    const rest = value.slice(1);
    return rest.startsWith(MARK) ? rest : BigInt(rest);
  }
  if (typeof value === "object" && value !== null) {
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      members[key] = unmarked(members[key]);
    }
  }
  return value;
}

/** By hand, string by string: a regular expression for JSON strings runs out of its stack where they are long. */
function marked(text: string): string {
  let out = "";
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at);
    const between = text.slice(at, quote < 0 ? text.length : quote);
    out += between.length < DIGITS ? between : between.replace(/-?\d[\d.eE+-]*(\s*:)?/g, bigMarked);
    if (quote < 0) {
      return out;
    }
    at = endOfString(text, quote + 1);
    const isMarked = text.startsWith(ESCAPED_MARK, quote) && !isKey(text, at);
    out += isMarked ? ESCAPED_MARK + text.slice(quote + 1, at) : text.slice(quote, at);
  }
}

/** A number in the place of a key is no JSON, and stays to be refused. */
function bigMarked(token: string, colon?: string): string {
  return colon === undefined && isBig(token) ? `${ESCAPED_MARK}${token}"` : token;
}

/** Whether the string that ends at `at` names a member. */
function isKey(text: string, at: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = at;
  return colon.test(text);
}

/** The position after the quote that ends the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) {
      return text.length;
    }
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") {
      backslashes++;
    }
    at = quote + 1;
    if (backslashes % 2 === 0) {
      return at;
    }
  }
}

function isBig(digits: string): boolean {
  // What has a leading zero is no JSON, and stays to be refused.
  if (!/^-?[1-9]\d{15,4299}$/.test(digits)) {
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

const JSON_HAS = ["bigint", "boolean", "number", "object", "string"];

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
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") {
    return written(toJSON.call(value) as Json);
  }
  const members = Object.entries(value).filter(([, member]) => JSON_HAS.includes(typeof member));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`).join()}}`;
}
