// Numbers formatted for people.

/** Formats a count: `1 event`, `2 events`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a size: `812 B`, `6.8 kB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) {
    return `${bytes} B`;
  }
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

/** Formats a duration: `0.8 ms`, `12 ms`, `1.4 s`. */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) {
    return `${(milliseconds / 1000).toFixed(1)} s`;
  }
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}
