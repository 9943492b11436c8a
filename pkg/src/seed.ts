// Many seeds are drawn at once, because a call to the host's random source takes as long as reading a short stream.
const seeds = /* @__PURE__ */ new BigUint64Array(512);
let left = 0;

/** Returns a number that the server cannot predict, so that it cannot craft texts with equal fingerprints. */
export function seed(): bigint {
  if (left === 0) {
    crypto.getRandomValues(seeds);
    left = seeds.length;
  }
  return seeds[--left]!;
}
