// The tokens of a Markdown text, unless the parser would take quadratic time for it.

import { Lexer, type Token } from "marked";

const LONGEST = 50_000;
const LONGEST_PARAGRAPH = 10_000;
const MOST_DELIMITERS = 500;

/**
 * What the parser reads again from each of its characters: an address of a mail or a page without a
 * space, and blocks inside of blocks on one line. Ordinary texts are far below these numbers.
 */
const REPEATED = [
  /[\w.+-]{1001}/,
  /(?:[-+*>][ \t]+){51}/,
  /(?:>[ \t]?){51}/,
  /(?:\d{1,9}[.)][ \t]+){51}/,
];

/** Returns the tokens of a text; null for one that is shown as plain text. */
export function tokensOf(text: string): Token[] | null {
  if (text.length > LONGEST || text.split("\n\n").some(isCostly)) {
    return null;
  }
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch {
    // Quotes that are nested thousands of levels deep.
    return null;
  }
}

/** Returns whether the time for a paragraph grows with the square of what it contains. */
function isCostly(paragraph: string): boolean {
  return (
    paragraph.length > LONGEST_PARAGRAPH ||
    paragraph.replaceAll(/[^*_~!]/g, "").length > MOST_DELIMITERS ||
    REPEATED.some((pattern) => pattern.test(paragraph))
  );
}
