// Checks stored conversations: a storage can contain those of another protocol or version, and
// values of other scripts.

import { isObject } from "../core/json.js";
import type { Exchange, ExchangeStatus, Reply } from "./exchange.js";
import type { Message } from "./message.js";

/**
 * The shape of a stored value: a type, words, a list of one shape, or an object by its properties.
 * A property whose name ends with `?` may be absent or null. A function accepts other values.
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
    return (
      shape === "any" ||
      (shape === "text"
        ? typeof value === "string"
        : shape === "list"
          ? Array.isArray(value)
          : isObject(value as never))
    );
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

const PART: StoredShape = {
  type: "text",
  "text?": "text",
  "url?": "text",
  "mediaType?": "text",
  "filename?": "text",
  "toolCallId?": "text",
};

/** A stored message of the user. */
const USER_MESSAGE: StoredShape = {
  id: "text",
  parts: [
    either(
      { type: new Set(["text"]), text: "text" },
      { type: new Set(["file"]), url: "text", mediaType: "text", "filename?": "text" },
    ),
  ],
  "metadata?": "object",
};

/** Messages that an application has stored. */
export const MESSAGES: StoredShape = [
  { id: "text", role: new Set<Message["role"]>(["user", "assistant", "system"]), parts: [PART] },
];

const REPLY: StoredShape = either(
  { kind: new Set<Reply["kind"]>(["call"]), id: "text", "name?": "text" },
  {
    kind: new Set<Reply["kind"]>(["approval"]),
    id: "text",
    "name?": "text",
    "approved?": (value) => typeof value === "boolean",
  },
);

const STATUSES: ReadonlySet<ExchangeStatus> = new Set<ExchangeStatus>([
  "queued",
  "sending",
  "streaming",
  "calling",
  "done",
  "stopped",
  "failed",
]);

/** The part of a stored exchange that all protocols share. */
const EXCHANGE: StoredShape = {
  id: "text",
  status: STATUSES,
  replies: [REPLY],
  "user?": USER_MESSAGE,
  "error?": { code: "text", message: "text" },
  "snapshot?": "object",
  "resumeUrl?": "text",
};

/** Returns whether a value is a stored exchange whose snapshot has this shape. */
export function isExchange(value: unknown, snapshot: StoredShape): value is Exchange<never> {
  return fits(value, EXCHANGE) && fits(value, { "snapshot?": snapshot });
}
