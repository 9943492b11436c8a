// The Markdown of the playground: texts for which the parser takes quadratic time are shown as
// plain text, ordinary ones are parsed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const entry = fileURLToPath(new URL("../../../../www/page/markdown_tokens.ts", import.meta.url));
const { outputFiles } = await build({
  entryPoints: [entry],
  bundle: true,
  format: "esm",
  write: false,
});
const { tokensOf } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
);

/** Repeated parts, and the end that makes the parser go back. */
const COSTLY = [
  ...["a.", ".a", "a-", "a+", "a_", "1", ".-"].map((part) => [part, "@"]),
  ...["*a", "_a", "~a", "a~", ".~1", "!~中", "!", "!["].map((part) => [part, ""]),
  ...["- ", "-\t", "* ", "+ ", "> ", ">", "1. ", "12) ", "> - "].map((part) => [part, "a"]),
];

test("a paragraph of 10,000 characters that is costly is plain text, also after others", () => {
  for (const [part, end] of COSTLY) {
    const text = part.repeat(10_000 / part.length).slice(0, 9_990) + end;
    assert.equal(tokensOf(text), null, JSON.stringify(part));
    assert.equal(tokensOf(`Hello.\n\n${text}\n\nThe end.`), null, JSON.stringify(part));
  }
  assert.equal(tokensOf("word ".repeat(20_000)), null, "a long text");
});

test("ordinary texts are parsed", () => {
  const texts = {
    list: Array.from({ length: 120 }, (_, at) => `- item ${at} of a **long** list`).join("\n"),
    nested: Array.from({ length: 20 }, (_, at) => `${"  ".repeat(at)}- level`).join("\n"),
    table: `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(300)}`,
    address: `See https://example.com/${"path-of.many_words/".repeat(40)} or write to someone.else@example.com!`,
    image: `![](data:image/png;base64,${Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * at * 31 + 7 * at) % 251)).toString("base64")})`,
    line: `a\n\n${"-".repeat(200)}\n\nb`,
    code: `\`\`\`\n${"x = a.b.c(d, e) // f\n".repeat(300)}\`\`\``,
    excited: "Great! ".repeat(100),
  };
  for (const [name, text] of Object.entries(texts)) {
    assert.notEqual(tokensOf(text), null, name);
  }
});
