// Mutated recordings: truncated, doubled, spliced, with changed bits.

/**
 * The same mutations for the same seed.
 *
 * @param {Buffer[]} recordings
 * @returns `random()`, a number from 0 to 1; `below(limit)`, an integer; `mutated()`, one of the
 * recordings, changed
 */
export function mutations(recordings, seed) {
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const below = (limit) => Math.floor(random() * limit);

  const ways = [
    (bytes) => {
      bytes.writeUInt8(below(256), below(bytes.length));
      return bytes;
    },
    (bytes) =>
      Buffer.concat([bytes.subarray(0, below(bytes.length)), bytes.subarray(below(bytes.length))]),
    (bytes) => bytes.subarray(0, below(bytes.length)),
    (bytes) => {
      const other = recordings[below(recordings.length)];
      const at = below(bytes.length);
      return Buffer.concat([
        bytes.subarray(0, at),
        other.subarray(below(other.length), below(other.length)),
        bytes.subarray(at),
      ]);
    },
    (bytes) => {
      const events = bytes.toString("latin1").split("\n\n");
      events.splice(below(events.length), 0, events[below(events.length)]);
      return Buffer.from(events.join("\n\n"), "latin1");
    },
  ];

  const mutated = () => {
    let bytes = Buffer.from(recordings[below(recordings.length)]);
    for (let left = 1 + below(6); left > 0; left--) {
      bytes = ways[below(ways.length)](bytes.length > 0 ? bytes : Buffer.from(" "));
    }
    return bytes;
  };
  return { random, below, mutated };
}
