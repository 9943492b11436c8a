// Forms with one file (multipart/form-data), and the types of files by their content.

import { must } from "../../core/errors.js";
import { within } from "../../core/timers.js";
import type { RequestError } from "../../http/request.js";
import { runsRefusal } from "../service.js";
import { refuseUnless } from "./refusal.js";
import type { Limits } from "./limits.js";

/** The maximum number of bytes of a form in addition to the file. */
const AROUND = 64 * 1024;

/** The codes of one kind of upload. */
export interface UploadCodes {
  readonly tooLarge: string;
  readonly empty: string;
  readonly unsupported: string;
}

/** A form with its file. */
export interface UploadForm {
  /** Returns the text of a field. */
  field(name: string): string | undefined;
  readonly file: Blob;
}

/** Receives uploads, so many at once, because each is in memory. */
export class Uploads {
  readonly #limits: Limits;
  #open = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Receives a form with a file of that name, and passes it on. Refuses a form without a length, that is too large, or takes too long. */
  async receive<T>(request: Request, name: string, codes: UploadCodes, use: (form: UploadForm) => Promise<T>): Promise<T> {
    const { uploads, fileBytes } = this.#limits;
    const length = request.headers.get("content-length");
    refuseUnless(length !== null && /^\d+$/.test(length), "AGENT_LENGTH_REQUIRED", "an upload has a Content-Length");
    const tooLarge = (): RequestError => runsRefusal(codes.tooLarge, `a file has at most ${fileBytes} bytes`);
    if (Number(length) > fileBytes + AROUND) {
      throw tooLarge();
    }
    refuseUnless(this.#open < uploads, "AGENT_RATE_LIMIT_EXCEEDED", "the service receives too many files at once");
    this.#open++;
    try {
      const bytes = await this.#received(request, Number(length), tooLarge);
      const form = await formOf(bytes, request.headers.get("content-type") ?? "");
      const files = form.getAll(name);
      const [file] = files;
      refuseUnless(files.length === 1 && file !== undefined && typeof file !== "string", "AGENT_PAYLOAD_INVALID", `the form has one file \`${name}\``);
      refuseUnless(file.size > 0, codes.empty, "the file is empty");
      if (file.size > fileBytes) {
        throw tooLarge();
      }
      const field = (name: string): string | undefined => form.getAll(name).find((value) => typeof value === "string");
      return await use({ field, file });
    } finally {
      this.#open--;
    }
  }

  /** Returns the body, which has that length at most. */
  async #received({ body }: Request, length: number, tooLarge: () => RequestError): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(length);
    const reader = body?.getReader();
    const { bodyMs } = this.#limits;
    const receive = async (): Promise<Uint8Array<ArrayBuffer>> => {
      for (let at = 0; ; ) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) {
          return bytes.subarray(0, at);
        }
        if (at + value.length > length) {
          throw tooLarge();
        }
        bytes.set(value, at);
        at += value.length;
      }
    };
    const late = (): never => {
      throw runsRefusal("AGENT_BODY_TIMEOUT", `an upload arrives within ${bodyMs} milliseconds`);
    };
    try {
      return await within(receive(), bodyMs, late);
    } finally {
      reader?.cancel("the upload is over").catch(() => {});
    }
  }
}

async function formOf(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    must(/^multipart\/form-data\b/i.test(type), "bad-request", "not a form");
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", "the body is not a form (multipart/form-data)");
  }
}

/** The types of images, by their first bytes; a NUL matches any byte. */
const IMAGES: readonly (readonly [type: string, extension: string, begins: string])[] = [
  ["image/png", "png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "jpg", "\xff\xd8\xff"],
  ["image/gif", "gif", "GIF87a"],
  ["image/gif", "gif", "GIF89a"],
  ["image/webp", "webp", "RIFF\0\0\0\0WEBP"],
];

/** Detects the type of an image, independently of its name and its header. */
export function imageType(bytes: Uint8Array): { readonly type: string; readonly extension: string } | undefined {
  const found = IMAGES.find(([, , begins]) =>
    [...begins].every((character, at) => character === "\0" || bytes[at] === character.charCodeAt(0)),
  );
  return found && { type: found[0], extension: found[1] };
}

const WAV = /^audio\/(x-wav|wave?)\s*(;|$)/i;

/** Returns the seconds of sound in a WAV file; undefined for another file. */
export async function wavSeconds(file: Blob): Promise<number | undefined> {
  const bytes = new Uint8Array(WAV.test(file.type) ? await file.arrayBuffer() : new ArrayBuffer(0));
  const view = new DataView(bytes.buffer);
  const name = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 12 || name(0) !== "RIFF" || name(8) !== "WAVE") {
    return undefined;
  }
  let perSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    if (name(at) === "fmt " && length >= 16 && at + 24 <= bytes.length) {
      perSecond = view.getUint32(at + 16, true);
    }
    if (name(at) === "data") {
      return perSecond > 0 ? Math.min(length, bytes.length - at - 8) / perSecond : undefined;
    }
    at += 8 + length + (length % 2);
  }
  return undefined;
}
