/** A number that the server cannot know, so that it cannot prepare texts with equal fingerprints. */
export function seed(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0]!;
}
