// The pages of the documentation: one template for the protocols, an entry in the navigation, and
// the tested versions.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { PROTOCOLS } from "agentwire";
import { navigation, pages } from "../../../../docs/.vitepress/navigation.mjs";
import { ROOT_PAGES } from "../../../../docs/.vitepress/root_pages.mjs";

const root = new URL("../../../../", import.meta.url);
const read = (path) => readFile(new URL(path, root), "utf8");
const json = async (path) => JSON.parse(await read(path));

const TEMPLATE = [
  "Versions and sources",
  "Read",
  "Request",
  "Tool calls",
  "Serve",
  "Options",
  "Snapshot",
  "Known differences",
];

/** The pages of `docs`, without those that the build writes. */
async function documents() {
  const files = await readdir(new URL("docs", root), { recursive: true });
  const paths = files.map((name) => name.replaceAll("\\", "/"));
  return paths.filter(
    (path) =>
      path.endsWith(".md") &&
      !/node_modules|^reference\/api\//.test(path) &&
      !Object.values(ROOT_PAGES).includes(path),
  );
}

test("every protocol page has the sections of the template, and links to the specification and to its clauses", async () => {
  const protocols = (await documents()).filter((path) => path.startsWith("protocols/"));
  assert.equal(protocols.length, PROTOCOLS.length + 1, "each protocol, and the runs API");
  for (const path of protocols) {
    const text = await read(`docs/${path}`);
    const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    assert.deepEqual(
      sections.filter((title) => TEMPLATE.includes(title)),
      TEMPLATE,
      path,
    );
    const [, sources] = text.match(/^## Versions and sources\n([^]*?)^## /m);
    assert.match(sources, /\(\.\.\/reference\/clauses\.md#|\(https:\/\//, path);
  }
});

test("the navigation contains every page and links only to pages", async () => {
  const linked = navigation([])
    .flatMap(({ items }) => pages(items))
    .map(({ link }) => link.split("#")[0].slice(1));
  const written = (await documents()).map((path) =>
    path === "README.md" ? "" : path.replace(/\.md$/, ""),
  );
  const made = Object.values(ROOT_PAGES).map((path) => path.replace(/\.md$/, ""));
  const isBuilt = (link) => /^(rust|reference\/api)\//.test(link);
  assert.deepEqual(
    [...new Set(linked)].filter((link) => !isBuilt(link)).sort(),
    [...written, ...made].sort(),
  );
});

test("the pages name the versions of the clients that the tests use", async () => {
  const { devDependencies } = await json("package.json");
  const older = async (folder, name) =>
    (await json(`tests/js/official_clients/${folder}/package.json`)).dependencies[name].replace(
      /^npm:.*@/,
      "",
    );
  const versionOf = (name) => devDependencies[name].replace(/^npm:.*@/, "");
  const openai = `\`openai\` ${versionOf("openai")}`;
  const agUi = `\`@ag-ui/client\` ${versionOf("@ag-ui/client")}`;
  const a2a = `\`@a2a-js/sdk\` ${versionOf("a2a-sdk-1")}`;
  const [openai6, agUi0, a2a0] = [
    await older("openai-6", "openai"),
    await older("ag-ui-0.0", "@ag-ui/client"),
    versionOf("a2a-sdk-0"),
  ];
  for (const [path, between] of [
    ["README.md", ", "],
    ["docs/README.md", " and "],
  ]) {
    const text = await read(path);
    for (const row of [openai + between + openai6, agUi + between + agUi0, a2a + between + a2a0])
      assert.ok(text.includes(row), `${path}: ${row}`);
  }
  const comparison = await read("docs/help/comparison.md");
  const compared = [
    openai,
    agUi,
    a2a,
    `\`ai\` ${versionOf("ai")}`,
    `\`eventsource-parser\` ${versionOf("eventsource-parser")}`,
  ];
  for (const client of compared)
    assert.ok(comparison.includes(client), `docs/help/comparison.md: ${client}`);
  const protocol = { responses: openai, "ag-ui": agUi, a2a };
  for (const [name, client] of Object.entries(protocol))
    assert.ok(
      (await read(`docs/protocols/${name}.md`)).includes(client),
      `docs/protocols/${name}.md: ${client}`,
    );
});
