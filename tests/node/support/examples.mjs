// The JavaScript examples of a document, to be run.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import typescript from "typescript";

const AsyncFunction = (async () => {}).constructor;

/** The functions that create requests, whose addresses are relative to the page's. */
const CREATE = ["createRequest", "getTask", "cancelTask", "subscribeToTask"];

/** The names of an entry point as a page has them; `own` are names that a test brings. */
async function entryOf(entry, own) {
  const names = { ...(await import(entry)) };
  for (const name of CREATE.filter((name) => name in names)) {
    const create = names[name];
    names[name] = (url, ...rest) => create(new URL(url, "http://127.0.0.1"), ...rest);
  }
  return { ...names, ...own };
}

/**
 * The examples of a document. `example(name, ...given)` is the one with that name, as a function of the names that a test provides and of
 * the values that it assumes; it returns the result or export of the example. None is longer than `most` lines.
 */
export async function examplesOf(path, most) {
  const text = await readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
  const names = [...text.matchAll(/^```[jt]s (\S+)$/gm)].map(([, name]) => name);
  const example = (name, ...given) => {
    const [, code] = text.match(new RegExp("```[jt]s " + name + "\\n([\\s\\S]*?)```")) ?? assert.fail(`no example ${name}`);
    assert.ok(code.trim().split("\n").length <= most, `${name} is longer than ${most} lines`);
    const body = withoutTypes(code)
      .replace(/^import (\{.*\}) from "(agentwire(?:\/[\w/-]+)?)";$/gm, (_, names, entry) => `const ${names.replaceAll(" as ", ": ")} = await entries(${JSON.stringify(entry)});`)
      .replace("export default", "return");
    assert.doesNotMatch(body, /^(import|export)\b/m);
    const run = new AsyncFunction("entries", ...given, body);
    return (own, ...values) => run((entry) => entryOf(entry, own), ...values);
  };
  return { names, example };
}

/** The JavaScript of an example. */
function withoutTypes(code) {
  const { ESNext } = typescript.ScriptTarget;
  return typescript.transpileModule(code, { compilerOptions: { target: ESNext, module: ESNext, verbatimModuleSyntax: true } }).outputText;
}
