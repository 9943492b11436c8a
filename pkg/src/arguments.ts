// The argument types of public functions, which the functions declare and this module checks before a call into the
// core: the core receives strings and numbers by address and size, and a value of another type would make it fail
// inside the call.

import { AgentwireError } from "./errors.js";

/**
 * The type of an argument; with a question mark, undefined and null are allowed. The properties of an object are
 * declared individually.
 */
export type Kind = keyof typeof KINDS | { readonly [member: string]: Kind };

/** The parameters of a function in their order, with their types. */
export interface Parameters {
  readonly [name: string]: Kind;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
/** Values that JSON cannot represent are detected when the value is serialized. */
const isJson = (value: unknown): boolean => typeof value !== "function" && typeof value !== "symbol";
const isIndex = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
const orNone = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || value === null || is(value);

/** The test of each type, and its name in error messages. */
const KINDS = {
  string: [isText, "a string"],
  "string?": [orNone(isText), "a string or undefined"],
  object: [isObject, "an object"],
  "object?": [orNone(isObject), "an object or undefined"],
  "json?": [isJson, "a JSON value"],
  "index?": [orNone(isIndex), "an integer from 0 to 4294967295, or undefined"],
  iterable: [(value: unknown) => typeof Object(value)[Symbol.iterator] === "function", "a list of strings"],
  list: [Array.isArray, "a list"],
  strings: [(value: unknown) => Array.isArray(value) && value.every(isText), "a list of strings"],
} as const;

/**
 * Checks the arguments of a function.
 *
 * @throws AgentwireError `wrong-argument`; the message names the function, the parameter and the expected type
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
  for (const [method, parameters] of Object.entries(methods as Readonly<Record<string, Parameters>>)) {
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
      throw new AgentwireError("wrong-argument", `${called}(): \`${name}\` is ${words}, and was given ${named(value)}`);
    }
    return;
  }
  checkOne(called, name, "object", value);
  for (const [member, each] of Object.entries(kind)) {
    const given = (value as Record<string, unknown>)[member];
    if (given == null && typeof each === "string" && !each.endsWith("?")) {
      throw new AgentwireError("missing-argument", `${called}(): \`${name}.${member}\` is missing`);
    }
    checkOne(called, `${name}.${member}`, each, given);
  }
}

/** Returns the type of a value for an error message. The value itself may be secret or large. */
function named(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `${typeof value}`;
}
