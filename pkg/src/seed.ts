// A call to the host's random source takes as long as reading a short answer, so many seeds are drawn at once.
const seeds = /* @__PURE__ */ new BigUint64Array(512);
let left = 0;

/** A number that the server cannot know, so that it cannot prepare texts with equal fingerprints. */
export function seed(): bigint {
  if (left === 0) {
    crypto.getRandomValues(seeds);
    left = seeds.length;
  }
  return seeds[--left]!;
}
