// The parts of labels: their type, and how texts and values are shortened.

import { type Json, stringifyJson } from "agentwire";

/** The colours of rows and of the wire. */
export type Kind =
  | "response"
  | "message"
  | "content"
  | "tool"
  | "pause"
  | "comment"
  | "error"
  | "other"
  | "end";

/** One event in a few words. */
export interface Label {
  readonly kind: Kind;
  /** Its subject: in the Agent API the event's `object`. */
  readonly object: string;
  /** Its type, status and similar members. */
  readonly detail: string;
  /** The beginning of its content. */
  readonly preview: string;
  /** The received `sequence_number`; null if it is missing, undefined in protocols without it. */
  readonly sequence: number | null | undefined;
  /** Whether it continues a text that began before. */
  readonly isDelta?: boolean;
}

const PREVIEW = 160;

/** Returns the content of parts: their texts, or the first data. */
export function textOf(parts: unknown): string | undefined {
  const all = Array.isArray(parts) ? parts.filter(isObject) : [];
  const texts = all.map(({ text }) => text).filter((text) => typeof text === "string");
  return texts.length > 0
    ? texts.join("")
    : all.flatMap(({ data }) => (data === undefined ? [] : [jsonOf(data)]))[0];
}

/** Returns a label; `detail` are the words of its type, `preview` its content. */
export function made(
  kind: Kind,
  object: string,
  detail: readonly unknown[],
  preview: unknown,
  sequence: Label["sequence"],
  isDelta = false,
): Label {
  const words = detail.filter((word) => typeof word === "string" && word !== "").join(" · ");
  const text = typeof preview === "string" ? preview : preview === undefined ? "" : jsonOf(preview);
  return { kind, object, detail: words, preview: shorten(text), sequence, isDelta };
}

/** Returns a value as JSON. */
export function jsonOf(value: unknown): string {
  return stringifyJson(value as Json);
}

/** Returns the beginning of a text. */
export function shorten(text: string): string {
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
