// Ways to split a stream into chunks, and to show where two texts differ.

/** Yields chunks of the sizes that `size` returns. */
export function* pieces(bytes, size) {
  for (let from = 0; from < bytes.length; ) {
    const to = from + size();
    yield bytes.subarray(from, to);
    from = to;
  }
}

/** Sizes from 1 to 40, the same for the same seed. */
export function sizes(seed) {
  let state = seed * 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return 1 + ((state >>> 0) % 40);
  };
}

/** The stream with the other kind of line end. */
export function crlf(bytes) {
  const out = [];
  for (const byte of bytes) {
    if (byte === 10) {
      out.push(13, 10);
    } else {
      out.push(byte);
    }
  }
  return new Uint8Array(out);
}

/** Returns the text around the position where it differs from the other. */
export function excerpt(text, other) {
  let at = 0;
  while (at < text.length && text[at] === other[at]) {
    at++;
  }
  return text.slice(Math.max(0, at - 60), at + 120);
}
