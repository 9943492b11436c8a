// Detects the type of a file by its content.

/** The types of images, by their first bytes; a NUL matches any byte. */
const IMAGES: readonly (readonly [type: string, extension: string, begins: string])[] = [
  ["image/png", "png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "jpg", "\xff\xd8\xff"],
  ["image/gif", "gif", "GIF87a"],
  ["image/gif", "gif", "GIF89a"],
  ["image/webp", "webp", "RIFF\0\0\0\0WEBP"],
];
/** The number of bytes that are sufficient to detect the type of an image. */
export const ENOUGH = 12;

/** Detects the type of an image, independently of its name and its header. */
export function imageType(bytes: Uint8Array): { readonly type: string; readonly extension: string } | undefined {
  const found = IMAGES.find(([, , begins]) =>
    [...begins].every((character, at) => character === "\0" || bytes[at] === character.charCodeAt(0)),
  );
  return found && { type: found[0], extension: found[1] };
}

/** Returns the seconds of sound in a WAV file; undefined if it is not a WAV file. */
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
