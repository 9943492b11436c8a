// JSON with exact integers that a number cannot hold, up to the 4,300 digits that Python reads.
// Creating a larger
// `bigint` takes longer than reading the stream, so larger integers become the nearest number, as
// with `JSON.parse`.
//
// `JSON.parse` rounds integers beyond 2^53, so they are marked before parsing: an integer becomes a
// string of U+0001 and its digits; a string that starts with U+0001 gets another one. After
// parsing, the marked strings become `bigint`.

import type { ErrorInfo, Json } from "../agentwire.js";
import { AgentwireError } from "./errors.js";

const MARK = "\u0001";
const ESCAPED_MARK = '"\\u0001';
const SAFE = 2n ** 53n;
/** The minimum number of digits of such integers. */
const DIGITS = 16;

/** Matches an integer that a number may not hold; nearly every text has none. */
const LONG = /(?:^|[\s:,[])-?[1-9]\d{15,}(?![\d.eE])/;

/**
 * Parses JSON like `JSON.parse`, but integers beyond ±2^53, of up to 4,300 digits, become `bigint`
 * and stay exact.
 *
 * @throws AgentwireError `not-json`, whose `cause` is the `SyntaxError`
 */
export function parseJson(text: string): Json {
  try {
    return LONG.test(text) ? (unmark(JSON.parse(marked(text))) as Json) : JSON.parse(text);
  } catch (cause) {
    throw new AgentwireError("not-json", (cause as Error).message, { cause });
  }
}

/**
 * A value that JSON cannot represent. Inside an object it is left out, as with `JSON.stringify`.
 */
type NoJson = undefined | symbol | ((...given: never[]) => unknown);

/**
 * Serializes JSON, a snapshot or a request like `JSON.stringify`, with each `bigint` as its digits.
 *
 * @throws AgentwireError `not-json` for a value that JSON cannot represent
 */
export function stringifyJson<T>(value: T extends NoJson ? never : T): string {
  try {
    return JSON.stringify(value);
  } catch {
    // `JSON.stringify` rejects a `bigint`, which few values contain, so the slower function is the
    // exception.
    try {
      return serialize(value as Json);
    } catch (cause) {
      throw new AgentwireError(
        "not-json",
        `JSON cannot represent the value: ${(cause as Error).message}`,
        { cause },
      );
    }
  }
}

/** Replaces marks in place: the second argument of `JSON.parse` takes twice as long. */
function unmark(value: unknown): unknown {
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
      members[key] = unmark(members[key]);
    }
  }
  return value;
}

/**
 * Scans string by string: a regular expression for JSON strings overflows its stack for long ones.
 */
function marked(text: string): string {
  let out = "";
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at);
    const between = text.slice(at, quote < 0 ? text.length : quote);
    out +=
      between.length < DIGITS ? between : between.replace(/-?\d[\d.eE+-]*(\s*:)?/g, markBigNumber);
    if (quote < 0) {
      return out;
    }
    at = endOfString(text, quote + 1);
    const isMarked = text.startsWith(ESCAPED_MARK, quote) && !isKey(text, at);
    out += isMarked ? ESCAPED_MARK + text.slice(quote + 1, at) : text.slice(quote, at);
  }
}

/** A number as a key is not JSON; it stays unchanged and is rejected by the parser. */
function markBigNumber(token: string, colon?: string): string {
  return colon === undefined && isBig(token) ? `${ESCAPED_MARK}${token}"` : token;
}

/** Returns whether the string that ends at `at` is a property name. */
function isKey(text: string, at: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = at;
  return colon.test(text);
}

/** Returns the position after the closing quote of the string that starts at `at`. */
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
  // A number with a leading zero is not JSON; it stays unchanged and is rejected by the parser.
  if (!/^-?[1-9]\d{15,4299}$/.test(digits)) {
    return false;
  }
  const integer = BigInt(digits);
  return integer > SAFE || integer < -SAFE;
}

/**
 * Adds like `json::add` in Rust: integers exactly, other numbers as floats; a sum beyond their
 * range changes nothing.
 */
export function sum(current: unknown, summand: unknown, float: boolean): unknown {
  if (!isNumber(current) || !isNumber(summand)) {
    return current;
  }
  if (float) {
    const sum = Number(current) + Number(summand);
    return Number.isFinite(sum) ? sum : current;
  }
  const sum = BigInt(current) + BigInt(summand);
  return sum > SAFE || sum < -SAFE ? sum : Number(sum);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

const JSON_HAS = ["bigint", "boolean", "number", "object", "string"];

function serialize(value: Json): string {
  if (typeof value === "bigint") {
    return value.toString();
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item: Json) => serialize(item ?? null)).join()}]`;
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") {
    return serialize(toJSON.call(value) as Json);
  }
  const members = Object.entries(value).filter(([, member]) => JSON_HAS.includes(typeof member));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${serialize(member)}`).join()}}`;
}

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns a value as JSON. A value that JSON cannot represent becomes null, which the core rejects
 * where it is not allowed.
 */
export function jsonOf(value: Json | JsonObject | undefined): string {
  let json: string | undefined;
  try {
    json = stringifyJson((value ?? null) as Json);
  } catch (error) {
    const { message, cause } = error as AgentwireError;
    throw new AgentwireError("wrong-argument", message, { cause });
  }
  // The value is a symbol or a function, or its `toJSON` returns one.
  return json ?? "null";
}

/** Returns a value as text: a string unchanged, any other value as JSON. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}

/** Returns a value as text, which is empty if the value is missing or null. */
export function textOrEmpty(value: Json | undefined): string {
  return value == null ? "" : textOf(value);
}

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function valueOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns an object, such as a request, as JSON. */
export function jsonText(value: object): string {
  return jsonOf(value as unknown as Json);
}

/** Returns an error as arguments for the core's methods. */
export function errorParts(error: ErrorInfo | undefined): [code?: string, message?: string] {
  return error == null ? [] : [String(error.code), String(error.message)];
}
