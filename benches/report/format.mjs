// Figures and tables as text.

/** Formats median, tenth and ninetieth percentile: `6.90x (6.61–7.20)`. */
export function ratio({ median, p10, p90 }) {
  return `${digits(median)}x (${digits(p10)}–${digits(p90)})`;
}

/** Formats a number with three significant digits. */
export function digits(value) {
  const size = Math.abs(value);
  const places = size >= 99.5 ? 0 : size >= 9.95 ? 1 : 2;
  return value.toFixed(places);
}

/** Formats milliseconds per pass as nanoseconds per each of `count`. */
export function each({ median }, count) {
  return digits((median * 1e6) / count);
}

/** Formats the speed of a pass over `bytes` bytes in gigabytes per second. */
export function speed({ median }, bytes) {
  return digits(bytes / 1e6 / median);
}

export function megabytes(bytes) {
  return `${digits(bytes / 1e6)} MB`;
}

export function thousands(number) {
  return Math.round(number).toLocaleString("en-US");
}

/**
 * Returns a Markdown table that is aligned as text: the first column to the left, the others to the
 * right.
 */
export function table(head, rows) {
  const widths = head.map((cell, at) =>
    Math.max(3, cell.length, ...rows.map((row) => (row[at] ?? "").length)),
  );
  const line = (cells) => {
    const padded = widths.map((width, at) =>
      at === 0 ? (cells[at] ?? "").padEnd(width) : (cells[at] ?? "").padStart(width),
    );
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, at) =>
    at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}
