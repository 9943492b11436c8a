// The samples of docs/guides/any-client.md: the tests use the configurations that users copy.
import { readFileSync } from "node:fs";

const GUIDE = readFileSync(
  new URL("../../../../docs/guides/any-client.md", import.meta.url),
  "utf8",
);

/** The address of the gateway in the samples. */
const ADDRESS = "http://127.0.0.1:8787";

/**
 * Returns the sample with these words after its opening fence, with the address of a server, and
 * with other names: pairs of what the sample has and what the test needs.
 */
export function sample(fence, url, names = []) {
  const [, text] = GUIDE.split(`\`\`\`${fence}\n`);
  if (text === undefined) throw new Error(`the guide has no sample ${fence}`);
  const [code] = text.split("```");
  const all = [[ADDRESS, url], ...names];
  return all.reduce((sampled, [given, needed]) => {
    if (!sampled.includes(given)) throw new Error(`the sample ${fence} has no ${given}`);
    return sampled.replaceAll(given, needed);
  }, code);
}
