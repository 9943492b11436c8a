// What is uploaded: a form with one file, whose size is known before and whose type is in its content.

import { runsRefusal } from "agentwire";

/** The most bytes of a file. */
export const MOST = 10 * 1024 * 1024;
/** What a form has around it. */
const FORM = 64 * 1024;

/** The codes of one kind of upload. */
export interface UploadCodes {
  readonly tooLarge: string;
  readonly empty: string;
  readonly unsupported: string;
}

/** A form with a file of that name; refused before it is read if it is too large. */
export async function formWith(request: Request, name: string, codes: UploadCodes): Promise<{ readonly form: FormData; readonly file: File }> {
  const length = request.headers.get("content-length");
  if (length === null || !/^\d+$/.test(length)) {
    throw runsRefusal("AGENT_LENGTH_REQUIRED", "an upload says its length");
  }
  if (Number(length) > MOST + FORM) {
    throw runsRefusal(codes.tooLarge, `a file has at most ${MOST} bytes`);
  }
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", "the body is no form (multipart/form-data)");
  }
  const file = form.get(name);
  if (!(file instanceof File)) {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", `the form has no file \`${name}\``);
  }
  if (file.size > MOST) {
    throw runsRefusal(codes.tooLarge, `a file has at most ${MOST} bytes`);
  }
  if (file.size === 0) {
    throw runsRefusal(codes.empty, "the file is empty");
  }
  return { form, file };
}

/** The types of images, by how they begin: bytes, or any where a dot is. */
const IMAGES: readonly (readonly [type: string, extension: string, begins: string])[] = [
  ["image/png", "png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "jpg", "\xff\xd8\xff"],
  ["image/gif", "gif", "GIF87a"],
  ["image/gif", "gif", "GIF89a"],
  ["image/webp", "webp", "RIFF\0\0\0\0WEBP"],
];

/** What kind of image it is, whatever its name and its header say. */
export function imageType(bytes: Uint8Array): { readonly type: string; readonly extension: string } | undefined {
  const found = IMAGES.find(([, , begins]) =>
    [...begins].every((character, at) => character === "\0" || bytes[at] === character.charCodeAt(0)),
  );
  return found && { type: found[0], extension: found[1] };
}

/** How many seconds of sound a WAV file has; undefined if it is none. */
export function wavSeconds(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
