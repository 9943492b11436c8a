// The argument types and option names of public functions, which the functions declare and this
// module checks before a call into the core: the core receives strings and numbers by address and
// size, and a value of another type would make it fail inside the call.

import { AgentwireError, must } from "./errors.js";
import { isObject } from "./json.js";

/**
 * The type of an argument; with a question mark, undefined and null are allowed. The properties of
 * an object are declared individually.
 */
export type Kind = keyof typeof KINDS | { readonly [member: string]: Kind };

/** The parameters of a function in their order, with their types. */
export interface Parameters {
  readonly [name: string]: Kind;
}

const isText = (value: unknown): boolean => typeof value === "string";
/** Values that JSON cannot represent are detected when the value is serialized. */
const isJson = (value: unknown): boolean =>
  typeof value !== "function" && typeof value !== "symbol";
const isIndex = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
const orNone = (is: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || value === null || is(value);

/** The test of each type, and its name in error messages. */
const KINDS = {
  string: [isText, "a string"],
  "string?": [orNone(isText), "a string or undefined"],
  object: [isObject, "an object"],
  "object?": [orNone(isObject), "an object or undefined"],
  "json?": [isJson, "a JSON value"],
  "index?": [orNone(isIndex), "an integer from 0 to 4294967295, or undefined"],
  iterable: [
    (value: unknown) => typeof Object(value)[Symbol.iterator] === "function",
    "a list of strings",
  ],
  list: [Array.isArray, "a list"],
  strings: [(value: unknown) => Array.isArray(value) && value.every(isText), "a list of strings"],
} as const;

/**
 * Checks the arguments of a function.
 *
 * @throws AgentwireError `wrong-argument`; the message names the function, the parameter and the
 * expected type
 */
export function check(called: string, parameters: Parameters, values: readonly unknown[]): void {
  let at = 0;
  for (const name in parameters) {
    checkOne(called, name, parameters[name]!, values[at++]);
  }
}

/** Wraps methods of a class so that the arguments of every call are checked. */
export function checked<T extends object>(
  name: string,
  { prototype }: { readonly prototype: T },
  methods: { readonly [Method in keyof T]?: Parameters },
): void {
  for (const [method, parameters] of Object.entries(
    methods as Readonly<Record<string, Parameters>>,
  )) {
    const { value, ...property } = Object.getOwnPropertyDescriptor(prototype, method)!;
    const called = `${name}.${method}`;
    Object.defineProperty(prototype, method, {
      ...property,
      value(this: T, ...values: unknown[]): unknown {
        check(called, parameters, values);
        return (value as (...values: unknown[]) => unknown).apply(this, values);
      },
    });
  }
}

function checkOne(called: string, name: string, kind: Kind, value: unknown): void {
  if (typeof kind === "string") {
    const [is, words] = KINDS[kind];
    if (!is(value)) {
      throw new AgentwireError(
        "wrong-argument",
        `${called}(): \`${name}\` is ${words}, and was given ${named(value)}`,
      );
    }
    return;
  }
  checkOne(called, name, "object", value);
  for (const [member, each] of Object.entries(kind)) {
    const found = (value as Record<string, unknown>)[member];
    if (found == null && typeof each === "string" && !each.endsWith("?")) {
      throw new AgentwireError("missing-argument", `${called}(): \`${name}.${member}\` is missing`);
    }
    checkOne(called, `${name}.${member}`, each, found);
  }
}

/** Returns the type of a value for an error message. The value itself may be secret or large. */
function named(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `${typeof value}`;
}

/**
 * Throws if an option is not one of these names.
 *
 * @throws AgentwireError `wrong-option`, which names the option and the nearest valid one
 */
export function knownOptions(called: string, options: object, names: readonly string[]): void {
  must(isObject(options), "wrong-argument", `${called}: the options are an object`);
  for (const name in options) {
    if (!names.includes(name)) {
      const near = nearest(name, names);
      const meant = near === undefined ? "" : `did you mean \`${near}\`? `;
      throw new AgentwireError(
        "wrong-option",
        `${called}: there is no option \`${name}\`: ${meant}the options are ${names.join(", ")}`,
      );
    }
  }
}

/**
 * Returns the name that this one abbreviates, or the one with the fewest differing letters;
 * undefined if more than a third of the letters differ.
 */
function nearest(name: string, names: readonly string[]): string | undefined {
  // All option names are shorter.
  if (name.length > 40) {
    return undefined;
  }
  const whole = names.find(
    (other) => name.length > 2 && (other.startsWith(name) || name.startsWith(other)),
  );
  const [best] = names
    .map((other) => ({ other, distance: distanceOf(name.toLowerCase(), other.toLowerCase()) }))
    .sort((one, two) => one.distance - two.distance);
  return whole ?? (best !== undefined && best.distance <= name.length / 3 ? best.other : undefined);
}

/** Returns the edit distance of two words. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to++) {
      next.push(
        Math.min(row[to]! + Number(one[at] !== other[to]), row[to + 1]! + 1, next[to]! + 1),
      );
    }
    row = next;
  }
  return row[other.length]!;
}

/** The longest delay of a timer; a timer treats longer delays as one millisecond. */
const LONGEST = 2 ** 31 - 1;

/**
 * Returns the value of an option in milliseconds.
 *
 * @throws AgentwireError `wrong-option` if it is not a valid delay
 */
export function milliseconds(name: string, value: number): number {
  if (typeof value === "number" && value >= 0 && value <= LONGEST) {
    return value;
  }
  throw new AgentwireError(
    "wrong-option",
    `option \`${name}\` is a number of milliseconds from 0 to ${LONGEST}`,
  );
}
