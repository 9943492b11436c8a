// Rejecting unknown options, which are usually misspelled.

import { AgentwireError } from "./errors.js";

/**
 * Throws if an option is not one of these names.
 *
 * @throws AgentwireError `wrong-option`, which names the option and the nearest valid one
 */
export function knownOptions(called: string, options: object, names: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new AgentwireError("wrong-argument", `${called}: the options are an object`);
  }
  for (const name in options) {
    if (!names.includes(name)) {
      const near = nearest(name, names);
      const meant = near === undefined ? "" : `did you mean \`${near}\`? `;
      throw new AgentwireError("wrong-option", `${called}: there is no option \`${name}\`: ${meant}the options are ${names.join(", ")}`);
    }
  }
}

/**
 * Returns the name that this one abbreviates, or the one with the fewest differing letters; undefined if more than a
 * third of the letters differ.
 */
function nearest(name: string, names: readonly string[]): string | undefined {
  // All option names are shorter.
  if (name.length > 40) {
    return undefined;
  }
  const whole = names.find((other) => name.length > 2 && (other.startsWith(name) || name.startsWith(other)));
  const [best] = names
    .map((other) => ({ other, distance: distanceOf(name.toLowerCase(), other.toLowerCase()) }))
    .sort((one, two) => one.distance - two.distance);
  return whole ?? (best !== undefined && best.distance <= name.length / 3 ? best.other : undefined);
}

/** Returns the edit distance of two words. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to++) {
      next.push(Math.min(row[to]! + Number(one[at] !== other[to]), row[to + 1]! + 1, next[to]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
