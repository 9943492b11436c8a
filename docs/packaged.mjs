// The documentation in the npm package: the pages as Markdown, and a list of them for language
// models (https://llmstxt.org). `cargo xtask build` calls it.
//
//   node docs/packaged.mjs FOLDER
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { firstSentence } from "./.vitepress/llms.mjs";
import { navigation, pages } from "./.vitepress/navigation.mjs";
import { ROOT_PAGES } from "./.vitepress/root_pages.mjs";

const docs = new URL("./", import.meta.url);
const [folder] = process.argv.slice(2);
const target = new URL("./", pathToFileURL(resolve(folder, "docs") + "/"));
const manifest = JSON.parse(await readFile(new URL("../pkg/package.json", docs), "utf8"));
const repository = `${manifest.repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`;

/** Returns the file of a page in `docs`; undefined for one that is built, at the root, or a program. */
function fileOf(link) {
  const path = link === "/" ? "README.md" : `${link.slice(1)}.md`;
  const isElsewhere =
    /^(rust\/|reference\/api\/|playground\.md$)/.test(path) ||
    Object.values(ROOT_PAGES).includes(path);
  return isElsewhere || link.includes("#") ? undefined : path;
}

/** Returns the text of a page. Its links to files outside of the pages are those of the repository. */
function packaged(text, path, known) {
  return text
    .replace(/^---\n[\s\S]*?\n---\n+/, "")
    .replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (link, address) => {
      const [file, hash = ""] = address.split(/(?=#)/);
      const place = posix.join("docs", posix.dirname(path), file);
      return known.has(place.replace(/^docs\//, "")) ? link : `](${repository}${place}${hash})`;
    });
}

const groups = navigation([]).map(({ text, items }) => ({
  title: text,
  listed: pages(items).flatMap(({ text: name, link }) => {
    const path = fileOf(link);
    return path === undefined ? [] : [{ name, path }];
  }),
}));
const known = new Set(groups.flatMap(({ listed }) => listed.map(({ path }) => path)));
await rm(target, { recursive: true, force: true });
const lines = [`# ${manifest.name} ${manifest.version}`, "", `> ${manifest.description}`];
for (const { title, listed } of groups.filter(({ listed }) => listed.length > 0)) {
  lines.push("", `## ${title}`, "");
  for (const { name, path } of listed) {
    const text = packaged(await readFile(new URL(path, docs), "utf8"), path, known);
    const file = new URL(path, target);
    await mkdir(dirname(file.pathname), { recursive: true });
    await writeFile(file, text);
    const summary = firstSentence(text);
    lines.push(`- [${name}](docs/${path})${summary ? `: ${summary}` : ""}`);
  }
}
await writeFile(new URL("../llms.txt", target), `${lines.join("\n")}\n`);
