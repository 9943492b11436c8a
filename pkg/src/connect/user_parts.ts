// The parts that the user sends, for the requests of a protocol.

import type { Json } from "../agentwire.js";
import type { UserMessage } from "./exchange.js";
import type { FilePart, UserPart } from "./message.js";
import { base64Of } from "./parts.js";

/**
 * Returns the base64 content of a file that is a data URL; undefined for a file with another
 * address.
 */
export function contentOf({ url }: Pick<FilePart, "url">): string | undefined {
  const [, text] = /^data:[^,]*,(.*)$/s.exec(url) ?? [];
  return text === undefined
    ? undefined
    : (base64Of(url) ?? btoa(text.replace(/%([\da-f]{2})|[^\u0000-\u007f]/gi, bytesOf)));
}

/** Returns the bytes of an escaped byte or of a character, as characters. */
function bytesOf(character: string, hex: string | undefined): string {
  return hex !== undefined
    ? String.fromCharCode(Number.parseInt(hex, 16))
    : String.fromCharCode(...new TextEncoder().encode(character));
}

/** Returns the type of a file without its subtype: `image`, `audio`, `video`, `text` … */
export function kindOf({ mediaType }: Pick<FilePart, "mediaType">): string {
  return (mediaType.split("/", 1)[0] ?? "").toLowerCase();
}

/** Returns the format of a sound: `mp3`, `wav` … */
export function audioFormat({ mediaType }: Pick<FilePart, "mediaType">): string {
  const format = /\/(?:x-|vnd\.)?([^;]*)/.exec(mediaType)?.[1] ?? "";
  return { mpeg: "mp3", wave: "wav" }[format] ?? format;
}

/** Returns the only text of a message; undefined for a message with other parts. */
export function onlyText(parts: readonly UserPart[]): string | undefined {
  return parts.length === 1 && parts[0]!.type === "text" ? parts[0].text : undefined;
}

/**
 * Returns the metadata of messages, those of later messages over those of earlier ones; undefined
 * without any.
 */
export function metadataOf(
  messages: readonly UserMessage[],
): { [member: string]: Json } | undefined {
  const metadataList = messages.flatMap(({ metadata }) => metadata ?? []);
  return metadataList.length === 0 ? undefined : Object.assign({}, ...metadataList);
}
