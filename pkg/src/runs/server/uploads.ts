// Forms with one file (multipart/form-data), and the types of files by their content.

import { within } from "../../core/timers.js";
import type { RequestError } from "../../http/request.js";
import { runsRefusal } from "../service.js";
import { refuseUnless } from "./refusal.js";
import type { EndpointLimits } from "./limits.js";

/** The maximum number of bytes of a form in addition to the file. */
const AROUND = 64 * 1024;
/** The maximum number of parts of a form: each costs more than its bytes. */
const PARTS = 100;

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

/**
 * Receives uploads, so many at once, because each is in memory. One user does not occupy all
 * places.
 */
export class Uploads {
  readonly #limits: EndpointLimits;
  readonly #refuseForeign: (request: Request) => void;
  /** The number of uploads in progress of each user. */
  readonly #open = new Map<string, number>();

  /**
   * @param refuseForeign throws a refusal for a request of a page of another origin, which can send
   * a form without permission
   */
  constructor(limits: EndpointLimits, refuseForeign: (request: Request) => void) {
    [this.#limits, this.#refuseForeign] = [limits, refuseForeign];
  }

  /**
   * Receives a form with a file of that name, and passes it on. Refuses a form without a length,
   * that is too large, or takes too long.
   */
  async receive<T>(
    request: Request,
    user: string,
    name: string,
    codes: UploadCodes,
    use: (form: UploadForm) => Promise<T>,
  ): Promise<T> {
    const { fileBytes } = this.#limits;
    this.#refuseForeign(request);
    const length = request.headers.get("content-length");
    refuseUnless(
      length !== null && /^\d+$/.test(length),
      "AGENT_LENGTH_REQUIRED",
      "an upload has a Content-Length",
    );
    const tooLarge = (): RequestError =>
      runsRefusal(codes.tooLarge, `a file has at most ${fileBytes} bytes`);
    if (Number(length) > fileBytes + AROUND) {
      throw tooLarge();
    }
    const type = request.headers.get("content-type") ?? "";
    refuseUnless(
      /^multipart\/form-data\s*(;|$)/i.test(type),
      "AGENT_UNSUPPORTED_MEDIA_TYPE",
      "an upload is a form (multipart/form-data)",
    );
    const leave = this.#enter(user);
    try {
      const bytes = await this.#received(request, Number(length), tooLarge);
      const form = await formOf(bytes, type);
      const files = form.getAll(name);
      const [file] = files;
      refuseUnless(
        files.length === 1 && file !== undefined && typeof file !== "string",
        "AGENT_PAYLOAD_INVALID",
        `the form has one file \`${name}\``,
      );
      refuseUnless(file.size > 0, codes.empty, "the file is empty");
      if (file.size > fileBytes) {
        throw tooLarge();
      }
      const field = (name: string): string | undefined =>
        form.getAll(name).find((value) => typeof value === "string");
      return await use({ field, file });
    } finally {
      leave();
    }
  }

  /** Takes a place; returns a function that leaves it. */
  #enter(user: string): () => void {
    const { uploads, userUploads } = this.#limits;
    const open = this.#open;
    const [own, all] = [
      open.get(user) ?? 0,
      [...open.values()].reduce((sum, count) => sum + count, 0),
    ];
    refuseUnless(
      all < uploads,
      "AGENT_RATE_LIMIT_EXCEEDED",
      "the service receives too many files at once",
    );
    refuseUnless(
      own < Math.max(1, Math.min(userUploads, uploads - 1)),
      "AGENT_RATE_LIMIT_EXCEEDED",
      "the user sends too many files at once",
    );
    open.set(user, own + 1);
    return () => {
      const left = open.get(user)! - 1;
      if (left === 0) {
        open.delete(user);
      } else {
        open.set(user, left);
      }
    };
  }

  /** Returns the body, which has that length at most. */
  async #received(
    { body }: Request,
    length: number,
    tooLarge: () => RequestError,
  ): Promise<Uint8Array<ArrayBuffer>> {
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
  refuseUnless(
    partsIn(bytes, type) <= PARTS,
    "AGENT_PAYLOAD_INVALID",
    `a form has at most ${PARTS} parts`,
  );
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", "the body is not a form (multipart/form-data)");
  }
}

/** Returns the number of parts of a form, at most one more than allowed. */
function partsIn(bytes: Uint8Array, type: string): number {
  const [, quoted, plain] = /;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(type) ?? [];
  const name = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
  if (name === "") {
    return 0;
  }
  const boundary = `--${name}`;
  const text = new TextDecoder("latin1").decode(bytes);
  let count = 0;
  // The last boundary ends the form.
  for (
    let at = text.indexOf(boundary);
    at >= 0 && count <= PARTS + 1;
    at = text.indexOf(boundary, at + boundary.length)
  ) {
    count++;
  }
  return count - 1;
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
export function imageType(
  bytes: Uint8Array,
): { readonly type: string; readonly extension: string } | undefined {
  const found = IMAGES.find(([, , begins]) =>
    [...begins].every(
      (character, at) => character === "\0" || bytes[at] === character.charCodeAt(0),
    ),
  );
  return found && { type: found[0], extension: found[1] };
}

/** The names in WAV files as numbers, because a file can have a million chunks. */
const [RIFF, WAVE, FMT, DATA] = ["RIFF", "WAVE", "fmt ", "data"].map((name) =>
  [...name].reduce((code, one) => code * 256 + one.charCodeAt(0), 0),
);

const WAV = /^audio\/(x-wav|wave?)\s*(;|$)/i;

/** Returns the seconds of sound in a WAV file; undefined for another file. */
export async function wavSeconds(file: Blob): Promise<number | undefined> {
  const bytes = new Uint8Array(WAV.test(file.type) ? await file.arrayBuffer() : new ArrayBuffer(0));
  const view = new DataView(bytes.buffer);
  const name = (at: number): number => view.getUint32(at);
  if (bytes.length < 12 || name(0) !== RIFF || name(8) !== WAVE) {
    return undefined;
  }
  let perSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    if (name(at) === FMT && length >= 16 && at + 24 <= bytes.length) {
      perSecond = view.getUint32(at + 16, true);
    }
    if (name(at) === DATA) {
      return perSecond > 0 ? Math.min(length, bytes.length - at - 8) / perSecond : undefined;
    }
    at += 8 + length + (length % 2);
  }
  return undefined;
}
