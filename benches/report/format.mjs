// Figures and tables as text.

/** `6.90x (6.61–7.20)`: median, tenth and ninetieth percentile. */
export function ratio({ median, p10, p90 }) {
  return `${digits(median)}x (${digits(p10)}–${digits(p90)})`;
}

/** Three digits that count, and no more. */
export function digits(value) {
  const size = Math.abs(value);
  const places = size >= 99.5 ? 0 : size >= 9.95 ? 1 : 2;
  return value.toFixed(places);
}

/** Milliseconds per pass as nanoseconds per each of `count`. */
export function each({ median }, count) {
  return digits((median * 1e6) / count);
}

/** Gigabytes per second of a pass over so many bytes. */
export function speed({ median }, bytes) {
  return digits(bytes / 1e6 / median);
}

export function megabytes(bytes) {
  return `${digits(bytes / 1e6)} MB`;
}

export function thousands(number) {
  return Math.round(number).toLocaleString("en-US");
}

/** A Markdown table that can also be read as text: first column to the left, the others to the right. */
export function table(head, rows) {
  const widths = head.map((cell, at) => Math.max(3, cell.length, ...rows.map((row) => (row[at] ?? "").length)));
  const line = (cells) => {
    const padded = widths.map((width, at) =>
      at === 0 ? (cells[at] ?? "").padEnd(width) : (cells[at] ?? "").padStart(width),
    );
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}
