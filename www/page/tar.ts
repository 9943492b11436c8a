// A tar archive (ustar) of a few files.

import { joinBytes } from "./ndjson.js";

/** A file, with a name of at most 100 ASCII characters. */
export interface ArchiveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;

/** Returns the archive. */
export function tarOf(files: readonly ArchiveFile[]): Uint8Array<ArrayBuffer> {
  return joinBytes([
    ...files.flatMap(({ name, bytes }) => [
      headerOf(name, bytes.length),
      bytes,
      new Uint8Array(-bytes.length & (BLOCK - 1)),
    ]),
    new Uint8Array(2 * BLOCK),
  ]);
}

function headerOf(name: string, size: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const write = (at: number, text: string): void => header.set(new TextEncoder().encode(text), at);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, "0")}\0`;
  write(0, name);
  // Mode, owner, group, size, time of change, and eight spaces in place of the checksum, which
  // follows.
  write(
    100,
    octal(0o644, 7) +
      octal(0, 7) +
      octal(0, 7) +
      octal(size, 11) +
      octal(0, 11) +
      " ".repeat(8) +
      "0",
  );
  write(257, "ustar\u000000");
  write(
    148,
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
  );
  return header;
}
