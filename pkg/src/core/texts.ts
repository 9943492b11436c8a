// Texts as databases store them. Some databases end a text at NUL, and UTF-8 has no unpaired
// surrogates.

/** The first character of a text in its other form. */
const MARK = "\u0001";

/** Returns whether every database stores a text unchanged. */
function isStorable(text: string): boolean {
  const { isWellFormed } = text as { isWellFormed?(): boolean };
  const isUnicode = isWellFormed === undefined ? !/\p{Cs}/u.test(text) : isWellFormed.call(text);
  return isUnicode && !text.startsWith(MARK) && !text.includes("\0");
}

/**
 * Returns a text that every database stores unchanged: the text itself, or its JSON after a mark.
 * Different texts have different results.
 */
export function storable(text: string): string {
  return isStorable(text) ? text : MARK + JSON.stringify(text);
}

/** Returns the text that {@link storable} was called with. */
export function original(stored: string): string {
  return stored.startsWith(MARK) ? (JSON.parse(stored.slice(MARK.length)) as string) : stored;
}
