// The samples of the documentation: complete programs, whose last comment is their output.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import typescript from "typescript";

export const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** The pages: those of `docs`, without the ones that the build writes, and those of the package. */
export async function pages() {
  const files = (await readdir(join(root, "docs"), { recursive: true })).map(
    (name) => `docs/${name.replaceAll("\\", "/")}`,
  );
  return [
    "README.md",
    "pkg/README.md",
    "pkg/SKILL.md",
    ...files.filter((name) => name.endsWith(".md") && !/node_modules|reference\/api\//.test(name)),
  ];
}

/** The samples of a page in these languages. */
export async function samplesOf(page, languages = ["js", "ts", "tsx"]) {
  const text = await readFile(join(root, page), "utf8");
  const blocks = [...text.matchAll(/^ *```(\w*) ?([^\n]*)\n([^]*?)^ *```$/gm)].map(
    ([, language, name, code]) => ({ page, language, name, code }),
  );
  return blocks.filter(({ language }) => languages.includes(language));
}

/** A folder inside the repository, so that programs in it find the package. */
export async function folderFor(context) {
  const folder = await mkdtemp(join(root, "node_modules/.samples-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a sample without its types. */
function javascriptOf(code) {
  const { ESNext } = typescript.ScriptTarget;
  return typescript.transpileModule(code, {
    compilerOptions: { target: ESNext, module: ESNext, verbatimModuleSyntax: true },
  }).outputText;
}

/** Returns the output of a program; `setup` is a module that is loaded before. */
export async function outputOf(folder, code, setup = "") {
  await writeFile(join(folder, "program.mjs"), javascriptOf(code));
  await writeFile(join(folder, "setup.mjs"), setup);
  const env = { ...process.env, OPENAI_API_KEY: "key", NO_COLOR: "1" };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "./setup.mjs", "program.mjs"],
    { cwd: folder, env },
  );
  return stdout.trimEnd();
}

const SHOWN = /(?:^\/\/.*\n)+$/m;

/** Returns the output that a program shows. */
export function shownIn(code) {
  return code
    .match(SHOWN)?.[0]
    .replace(/^\/\/ ?/gm, "")
    .trimEnd();
}

/** Writes the output of a program into its page. */
export async function show({ page, code }, output) {
  const text = await readFile(join(root, page), "utf8");
  const comment = output
    .split("\n")
    .map((line) => `// ${line}`.trimEnd() + "\n")
    .join("");
  await writeFile(
    join(root, page),
    text.replace(code, () => code.replace(SHOWN, "") + comment),
  );
}
