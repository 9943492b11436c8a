// The documents and the comments that users read are in plain language: few idioms, counted per
// 1,000 words.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

const root = new URL("../../../../", import.meta.url);

/**
 * The maximum number of idioms per 1,000 words. The sources of axum, h2, rustls and hono have 0.2
 * to 0.9.
 */
const MOST = 1;

/** Words that describe programs as people, and constructions that readers have to read twice. */
const IDIOMS = [
  /\b(say|says|said|saying|told|tells?|telling|speaks?|spoken|hears?|heard)\b/gi,
  /\bbreach(es)?\b/gi,
  /\b(is|are|was|were) none\b|\b(is|are) no (?!longer|more than)\w+/gi,
  /\b(whoever|whichever|nobody|somebody|anybody)\b/gi,
  /\b(comes|came|come) to\b/gi,
  /\bin the (words|place) of\b/gi,
  /(^|[.:;] )What (?!happens|if)\w+/g,
  /\bin vain\b|\bas good as\b|\bwithout a word\b/gi,
  /\bbesides\b/gi,
];

const PAGES = [
  "README.md",
  "pkg/README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "ROADMAP.md",
  "SECURITY.md",
];
const FOLDERS = ["docs", "pkg/src", "examples"];

/** Returns the lines of prose: those of a page outside of code, and the comments of a source. */
function prose(path, text) {
  const isPage = path.endsWith(".md");
  let isCode = false;
  let isBlock = false;
  return text.split("\n").flatMap((line) => {
    const start = line.trimStart();
    let words = isPage ? line : /(?:^|\s)\/\/[/!]?\s?(.*)$/.exec(line)?.[1];
    if (!isPage && (isBlock || start.startsWith("/*"))) {
      words = start.replace(/^\/\*+|\*\/.*$|^\*/g, "");
      isBlock = !line.includes("*/");
    }
    if (words === undefined) {
      return [];
    }
    if (/^\s*```/.test(words)) {
      isCode = !isCode;
      return [];
    }
    // Names, quotations and links are not sentences.
    return isCode ? [] : [words.replace(/`[^`]*`|"[^"]*"|\[[^\]]*\]\([^)]*\)/g, " ")];
  });
}

async function* files() {
  yield* PAGES;
  for (const folder of FOLDERS) {
    for (const file of await readdir(new URL(folder, root), { recursive: true })) {
      if (
        /\.(rs|tsx?|m?js|md)$/.test(file) &&
        !/(^|\/)(node_modules|dist|\.vitepress)\//.test(file)
      ) {
        yield `${folder}/${file}`;
      }
    }
  }
}

test("pages and comments contain few idioms", async () => {
  let words = 0;
  const found = [];
  for await (const path of files()) {
    for (const line of prose(path, await readFile(new URL(path, root), "utf8"))) {
      words += line.match(/[A-Za-z]{2,}/g)?.length ?? 0;
      found.push(
        ...IDIOMS.flatMap((idiom) => line.match(idiom) ?? []).map(
          (idiom) => `${path}: "${idiom}" in: ${line.trim()}`,
        ),
      );
    }
  }
  assert.ok(words > 40_000, `${words} words`);
  assert.ok((1000 * found.length) / words <= MOST, found.join("\n"));
});

test("idioms are detected", () => {
  const lines = prose(
    "a.ts",
    'const said = 1; // The server says "told" so.\n/** `tells` nobody. */',
  );
  const hits = lines.flatMap((line) => IDIOMS.flatMap((idiom) => line.match(idiom) ?? []));
  assert.deepEqual(hits, ["says", "nobody"]);
});
