// Node loads `crypto` when it is first used, and takes longer for that than for reading a short answer.

/**
 * A number that the server cannot know, even if it has seen what else came of `Math.random()`: it does not see the clock's
 * nanoseconds.
 */
export function quickSeed(): bigint {
  const nanoseconds = performance.now() * 1e6;
  const [high, low] = [Math.random() * 2 ** 32, (Math.random() * 2 ** 32) ^ nanoseconds];
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
