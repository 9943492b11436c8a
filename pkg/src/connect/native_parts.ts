// Parts of messages from values of a protocol: data, files, questions, and incomplete arguments.

import { stringifyJson } from "../core/json.js";
import { partialOf } from "../read/partial_json.js";
import type { Reply } from "./exchange.js";
import type {
  DataPart,
  FilePart,
  Metadata,
  Question,
  SourceDocumentPart,
  SourceUrlPart,
  TextPart,
} from "./message.js";
import { type PartContext, fileUrl, plain, replyKey } from "./parts.js";

const displayed = /* @__PURE__ */ new WeakMap<object, unknown>();

/**
 * Returns a value of a snapshot for display: the value itself, or a copy with rounded integers if
 * it contains a `bigint`.
 */
export function displayable(value: unknown): unknown {
  if (typeof value === "bigint") {
    return Number(value);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  let known = displayed.get(value);
  if (known === undefined) {
    known = hasBigint(value) ? plain(value) : value;
    displayed.set(value, known);
  }
  return known;
}

/** Returns metadata for display; undefined if they are empty. */
export function shownMetadata(metadata: unknown): unknown {
  const isEmpty =
    metadata == null || (typeof metadata === "object" && Object.keys(metadata).length === 0);
  return isEmpty ? undefined : displayable(metadata);
}

/**
 * Returns properties without a member of their own as metadata of a part. Undefined ones are left
 * out.
 */
export function ownMetadata(members: { readonly [member: string]: unknown }): Metadata | undefined {
  const nativeMembers = Object.entries(members).filter(([, member]) => member != null);
  return nativeMembers.length === 0
    ? undefined
    : {
        agentwire: Object.fromEntries(
          nativeMembers.map(([name, member]) => [name, displayable(member)]),
        ) as Metadata[string],
      };
}

function hasBigint(value: unknown): boolean {
  return (
    typeof value === "bigint" ||
    (typeof value === "object" && value !== null && Object.values(value).some(hasBigint))
  );
}

/** Returns the part for content that no other part represents. */
export function dataPart(type: string, data: unknown, id?: unknown): DataPart {
  return {
    type: `data-${type}`,
    ...(typeof id === "string" && id !== "" && { id }),
    data: displayable(data),
  };
}

/** Returns a text as a part. */
export function textPart(text: string, isLive: boolean, providerMetadata?: Metadata): TextPart {
  return {
    type: "text",
    text,
    state: isLive ? "streaming" : "done",
    ...(providerMetadata && { providerMetadata }),
  };
}

/** The text of a refusal. */
export const REFUSAL: Metadata = { agentwire: { refusal: true } };

/** A file as a protocol describes it. */
export interface NativeFile {
  /** The media type, which a data URL overrides. */
  readonly mediaType: string;
  readonly url?: string | undefined;
  readonly base64?: string | undefined;
  readonly filename?: string | null | undefined;
}

/**
 * Returns the part of a file. The address of a file is absolute: a relative one would refer to the
 * page, not to the agent, and is returned as data.
 */
export function filePart(
  { mediaType: declaredType, url: address, base64, filename }: NativeFile,
  native: unknown,
  providerMetadata?: Metadata,
): FilePart | DataPart {
  const url = fileUrl(declaredType, { url: address, base64 });
  if (!/^[a-z][a-z\d+.-]*:./i.test(url)) {
    return dataPart("file", native);
  }
  const [, mediaType = declaredType] = /^data:([^;,]+)/.exec(url.slice(0, 200)) ?? [];
  return {
    type: "file",
    mediaType,
    url,
    ...(filename && { filename }),
    ...(providerMetadata && { providerMetadata }),
  };
}

/**
 * Returns the question of an agent. `native` is the question as the protocol has it, `text` a value
 * that can contain its text.
 */
export function questionOf(id: string, native: unknown, ...texts: readonly unknown[]): Question {
  const requestReason = texts.map(questionText).find((text) => text !== undefined);
  return {
    id,
    descriptor: displayable(native),
    ...(requestReason !== undefined && { requestReason }),
  };
}

/** Returns the text of a question: a text, or the member of a payload that has it. */
export function questionText(value: unknown): string | undefined {
  const found =
    typeof value === "object" && value !== null
      ? QUESTIONS.map((name) => (value as { readonly [name: string]: unknown })[name]).find(isText)
      : value;
  return isText(found) ? found : undefined;
}

const QUESTIONS = ["text", "question", "message"];

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Returns the reply to a call or to a question. */
export function replyTo(
  { replies }: PartContext,
  kind: Reply["kind"],
  id: string,
): Reply | undefined {
  return replies.get(replyKey(kind, id));
}

/**
 * Returns the value of arguments that are incomplete. `holder` is the object of the snapshot that
 * has the text as a property.
 */
export function partialInput(text: string, holder: object): unknown {
  const value = partialOf(text, holder, false);
  // Only a long integer is a `bigint`.
  return /\d{16}/.test(text) ? plain(value) : value;
}

/** Returns an error of a call as text. */
export function errorTextOf(error: unknown): string {
  const { message, content } = Object(error) as {
    readonly message?: unknown;
    readonly content?: unknown;
  };
  const text = [error, message, content].find(isText);
  return text ?? stringifyJson(error as object);
}

/** Returns a source with an address as a part. */
export function sourceUrl(url: string, title: unknown, providerMetadata?: Metadata): SourceUrlPart {
  return {
    type: "source-url",
    sourceId: url,
    url,
    ...(isText(title) && { title }),
    ...(providerMetadata && { providerMetadata }),
  };
}

/** Returns a document as a part. Protocols that cite documents do not describe their media type. */
export function sourceDocument(
  sourceId: string,
  filename: unknown,
  providerMetadata?: Metadata,
): SourceDocumentPart {
  const name = isText(filename) && { filename };
  return {
    type: "source-document",
    sourceId,
    mediaType: "application/octet-stream",
    title: isText(filename) ? filename : sourceId,
    ...name,
    ...(providerMetadata && { providerMetadata }),
  };
}
