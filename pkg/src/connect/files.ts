// The files that a user sends: parts with their content as data URLs, or those of an upload.

import { must } from "../core/errors.js";
import type { FilePart, TextPart, UserPart } from "./message.js";
import type { UserInput } from "./chat.js";
import { isFile } from "./options.js";

/** Returns the part for a file. */
export type Upload = (
  file: File,
  options: { readonly signal: AbortSignal },
) => FilePart | PromiseLike<FilePart>;

/** Returns the input as parts with the files of the page, or undefined if it is empty. */
export function inputParts(
  called: string,
  input: UserInput,
): readonly (UserPart | Blob)[] | undefined {
  if (typeof input === "string") {
    return input.trim() === "" ? undefined : [{ type: "text", text: input }];
  }
  must(
    Array.isArray(input) && input.every(isInputPart),
    "wrong-argument",
    `${called}(): the input is a text, or a list of files and of parts of the types "text" and "file"`,
  );
  return input.length === 0 ? undefined : [...(input as readonly (UserPart | Blob)[])];
}

function isInputPart(part: unknown): boolean {
  const { type, text, url, mediaType } = Object(part) as Partial<
    TextPart & FilePart & { type: string }
  >;
  return (
    isFile(part) ||
    (type === "text" && typeof text === "string") ||
    (type === "file" && typeof url === "string" && typeof mediaType === "string")
  );
}

/** Holds the files of messages until they are sent. */
export class Files {
  /** The files by the addresses that stand for them. */
  readonly #files = new Map<string, Blob>();

  /** Returns the parts to show: those of files have an address in the page. */
  shown(parts: readonly (UserPart | Blob)[]): readonly UserPart[] {
    return parts.map((part) => {
      if (!isFile(part)) {
        return part as UserPart;
      }
      const file = part as Blob;
      const url = URL.createObjectURL(file);
      this.#files.set(url, file);
      return { type: "file", mediaType: mediaTypeOf(file), url, ...nameOf(file) };
    });
  }

  /**
   * Returns the parts to send, or undefined if they are those shown. Rejects with the error of
   * `upload`.
   */
  sent(
    parts: readonly UserPart[],
    upload: Upload | undefined,
    signal: AbortSignal,
  ): Promise<readonly UserPart[]> | undefined {
    return parts.some(isOfPage)
      ? Promise.all(
          parts.map((part) => (isOfPage(part) ? this.#sentFile(part, upload, signal) : part)),
        )
      : undefined;
  }

  /** Forgets the files of parts that were sent. */
  release(parts: readonly UserPart[]): void {
    for (const part of parts.filter(isOfPage)) {
      this.#files.delete(part.url);
      URL.revokeObjectURL(part.url);
    }
  }

  async #sentFile(
    { url }: FilePart,
    upload: Upload | undefined,
    signal: AbortSignal,
  ): Promise<UserPart> {
    const blob = this.#files.get(url);
    must(
      blob !== undefined,
      "file-unavailable",
      "the file of the message is no longer available, because the page was reloaded before it was sent: attach it again",
    );
    if (upload === undefined) {
      return {
        type: "file",
        mediaType: mediaTypeOf(blob),
        url: await dataUrl(blob),
        ...nameOf(blob),
      };
    }
    const file = blob instanceof File ? blob : new File([blob], "file", { type: blob.type });
    const part = await upload(file, { signal });
    must(
      isInputPart(part) && part.type === "file",
      "wrong-option",
      'connect(): `upload` returns a part: { type: "file", mediaType, url }',
    );
    return part;
  }
}

/** Returns whether the address of a file is one in the memory of the page. */
function isOfPage(part: UserPart): part is FilePart {
  return part.type === "file" && part.url.startsWith("blob:");
}

function mediaTypeOf({ type }: Blob): string {
  return type === "" ? "application/octet-stream" : type;
}

function nameOf(file: Blob): { readonly filename?: string } {
  const { name } = file as Partial<File>;
  return typeof name === "string" && name !== "" ? { filename: name } : {};
}

async function dataUrl(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += ENCODED_PIECE_LENGTH) {
    binary += String.fromCharCode(...bytes.subarray(at, at + ENCODED_PIECE_LENGTH));
  }
  return `data:${mediaTypeOf(file)};base64,${btoa(binary)}`;
}

/** The number of bytes that one call of `String.fromCharCode` takes. */
const ENCODED_PIECE_LENGTH = 0x2000;
