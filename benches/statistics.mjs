// Medians and spreads.

export function median(values) {
  const sorted = [...values].sort(byValue);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the value that a share of all values (0 to 1) does not exceed. */
export function percentile(values, share) {
  const sorted = [...values].sort(byValue);
  return sorted[Math.round(share * (sorted.length - 1))];
}

/** Returns the printed figures of a list. */
export function spread(values) {
  return { median: median(values), p10: percentile(values, 0.1), p90: percentile(values, 0.9) };
}

function byValue(a, b) {
  return a - b;
}
