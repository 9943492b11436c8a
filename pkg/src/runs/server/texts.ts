// Texts as databases store them. Some databases end a text at NUL, and UTF-8 has no unpaired
// surrogates.

/** The first character of a text in its other form. */
const MARK = "\u0001";
/** Matches a text that is stored in its other form. */
const OTHER = /^\u0001|[\0\p{Cs}]/u;

/**
 * Returns a text that every database stores unchanged: the text itself, or its JSON after a mark.
 * Different texts have different results.
 */
export function storable(text: string): string {
  return OTHER.test(text) ? MARK + JSON.stringify(text) : text;
}

/** Returns the text that {@link storable} was called with. */
export function original(stored: string): string {
  if (!stored.startsWith(MARK)) {
    return stored;
  }
  try {
    return JSON.parse(stored.slice(MARK.length)) as string;
  } catch {
    // A text that an earlier version has stored.
    return stored;
  }
}
