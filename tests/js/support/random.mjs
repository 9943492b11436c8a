// Random programs.

/** A small generator of numbers, so that a failing program can be run again by its own. */
export function randomOf(program) {
  let state = (Math.imul(program + 1, 0x9e3779b1) | 1) >>> 0;
  return (sides) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % sides;
  };
}
