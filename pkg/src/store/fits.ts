// Checks stored conversations: a storage can contain those of another protocol or version, and values of other scripts.

import { isObject } from "../core/json.js";
import { type ConversationAnswer, type StoredTurn, STATUSES } from "./state.js";

/**
 * The shape of a stored value: a type, words, a list of one shape, or an object by its properties. A property whose name ends with
 * `?` may be absent or null. A function accepts other values.
 */
export type StoredShape =
  | "text"
  | "object"
  | "list"
  | "any"
  | ReadonlySet<string>
  | readonly [each: StoredShape]
  | { readonly [name: string]: StoredShape }
  | ((value: unknown) => boolean);

/** Returns whether a value has this shape. */
export function fits(value: unknown, shape: StoredShape): boolean {
  if (typeof shape === "function") {
    return shape(value);
  }
  if (typeof shape === "string") {
    return shape === "any" || (shape === "text" ? typeof value === "string" : shape === "list" ? Array.isArray(value) : isObject(value as never));
  }
  if (shape instanceof Set) {
    return shape.has(value);
  }
  if (Array.isArray(shape)) {
    return Array.isArray(value) && value.every((item) => fits(item, shape[0] as StoredShape));
  }
  const members = Object.entries(shape as { readonly [name: string]: StoredShape });
  return (
    isObject(value as never) &&
    members.every(([name, each]) => {
      const isOptional = name.endsWith("?");
      const found = (value as Record<string, unknown>)[isOptional ? name.slice(0, -1) : name];
      return (isOptional && found == null) || fits(found, each);
    })
  );
}

/** Accepts a value of one of these shapes. */
export function either(...shapes: readonly StoredShape[]): (value: unknown) => boolean {
  return (value) => shapes.some((shape) => fits(value, shape));
}

const ANSWER: StoredShape = either(
  { kind: new Set<ConversationAnswer["kind"]>(["call"]), id: "text", "name?": "text" },
  { kind: new Set<ConversationAnswer["kind"]>(["approval"]), id: "text", "name?": "text", approved: (value) => typeof value === "boolean" },
);

/** The part of a stored turn that all protocols share. */
const TURN: StoredShape = { answers: [ANSWER], status: STATUSES, "snapshot?": "object", "cut?": (value) => value === true };

/** Returns whether a value is a stored turn, with a message and a snapshot of these shapes. */
export function isTurn(value: unknown, message: StoredShape, snapshot: StoredShape): value is StoredTurn<never, never> {
  return fits(value, TURN) && fits(value, { "message?": message, "snapshot?": snapshot });
}
