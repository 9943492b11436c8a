// Values of a client in the refusals that it receives.

/** The maximum number of characters of a value in a refusal. */
const MAX_CHARACTERS = 250;

/**
 * Returns a text, or the start of a long one: at most 1,000 bytes, so that a refusal is short
 * whatever the client has sent.
 */
export function excerpt(text: string): string {
  if (text.length <= MAX_CHARACTERS) {
    return text;
  }
  // A pair of surrogates is not divided.
  return `${text.slice(0, MAX_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
