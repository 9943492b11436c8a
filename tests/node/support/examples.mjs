// The JavaScript examples of a document, to be run.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const AsyncFunction = (async () => {}).constructor;

/**
 * The examples of a document. `example(name, ...given)` is the one under that name, as a function of the package and of what
 * it takes for granted; it returns what the example exports or returns. None is longer than `most` lines.
 */
export async function examplesOf(path, most) {
  const text = await readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
  const names = [...text.matchAll(/^```js (\S+)$/gm)].map(([, name]) => name);
  const example = (name, ...given) => {
    const [, code] = text.match(new RegExp("```js " + name + "\\n([\\s\\S]*?)```")) ?? assert.fail(`no example ${name}`);
    assert.ok(code.trim().split("\n").length <= most, `${name} is longer than ${most} lines`);
    const body = code
      .replace(/^import (\{.*\}) from "agentwire(?:\/(?:agent-api|store|runs|rules))?";$/gm, "const $1 = agentwire;")
      .replace("export default", "return");
    assert.doesNotMatch(body, /^(import|export)\b/m);
    return new AsyncFunction("agentwire", ...given, body);
  };
  return { names, example };
}
