// Ranges of bytes (RFC 9110, 14): one range; several are ignored.

/** A part of an object, in bytes. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

/** Parses the requested range; returns undefined for the whole object, `"outside"` if the object has no such bytes. */
export function rangeOf(header: string | null, size: number): Range | "outside" | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) {
    return undefined;
  }
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "outside" : { offset: size - length, length };
  }
  const [offset, last] = [Number(from), to === "" ? size - 1 : Math.min(Number(to), size - 1)];
  if (offset >= size) {
    return "outside";
  }
  return last < offset ? undefined : { offset, length: last - offset + 1 };
}
