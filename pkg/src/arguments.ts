// What the arguments of public functions are, declared beside the functions and checked here, before anything crosses to
// the core: it takes texts and numbers by their address and size, and what has none makes it fail in the middle.

import { AgentwireError } from "./errors.js";

/** What an argument may be; with a question mark also undefined or null. An object's members are declared one by one. */
export type Kind = keyof typeof KINDS | { readonly [member: string]: Kind };

/** The parameters of a function in their order, and what each may be. */
export interface Parameters {
  readonly [name: string]: Kind;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
/** Whether it is free JSON is found out when it is written. */
const isJson = (value: unknown): boolean => typeof value !== "function" && typeof value !== "symbol";
const isIndex = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
const orNone = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || value === null || is(value);

/** Each kind's test, and its words. */
const KINDS = {
  string: [isText, "a string"],
  "string?": [orNone(isText), "a string or undefined"],
  object: [isObject, "an object"],
  "object?": [orNone(isObject), "an object or undefined"],
  "json?": [isJson, "a value that JSON has"],
  "index?": [orNone(isIndex), "an integer from 0 to 4294967295, or undefined"],
  iterable: [(value: unknown) => typeof Object(value)[Symbol.iterator] === "function", "a list of strings"],
  list: [Array.isArray, "a list"],
  strings: [(value: unknown) => Array.isArray(value) && value.every(isText), "a list of strings"],
} as const;

/**
 * Checks the arguments of a function.
 *
 * @throws AgentwireError `wrong-argument`, which names the function, the parameter, and what it takes
 */
export function check(called: string, parameters: Parameters, values: readonly unknown[]): void {
  let at = 0;
  for (const name in parameters) {
    checkOne(called, name, parameters[name]!, values[at++]);
  }
}

/** Has every call of these methods of a class checked. */
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

/** Never a value itself, which may be secret or large. */
function named(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `${typeof value}`;
}

/** Refuses an option that a function does not have, which may be a slip. Throws an `AgentwireError` with code `wrong-option`. */
export function checkOptions(name: string, options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((option) => !names.includes(option));
  if (unknown !== undefined) {
    throw new AgentwireError("wrong-option", `${name}: there is no option \`${unknown}\`: the options are ${names.join(", ")}`);
  }
}
