// Builds the site. `cargo xtask docs` calls it with the folder that rustdoc has written.
//
//   node docs/build.mjs [FOLDER]
import { cp, readFile, stat, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { deadAnchors } from "./.vitepress/anchors.mjs";
import { writeApi } from "./.vitepress/api.mjs";
import { llms } from "./.vitepress/llms.mjs";
import { copyRootPages } from "./.vitepress/root_pages.mjs";
import { buildStatic } from "../www/build.mjs";

const docs = new URL("./", import.meta.url);
const site = new URL("../target/site/", docs);
const [rust] = process.argv.slice(2);

await copyRootPages(new URL("../", docs), docs);
await writeApi();
// A dead link ends the build.
await build(fileURLToPath(docs));
// The page docs/playground.md embeds it.
await buildStatic(fileURLToPath(new URL("play/", site)));
const manifest = JSON.parse(await readFile(new URL("../pkg/package.json", docs), "utf8"));
const dead = await deadAnchors(site, new URL(manifest.homepage).pathname);
if (dead.length > 0) throw new Error(`dead anchors:\n${dead.join("\n")}`);
if (rust !== undefined) {
  await cp(rust, new URL("rust/", site), {
    recursive: true,
    filter: (path) => !path.endsWith(".lock"),
  });
  await stat(new URL("rust/agentwire/index.html", site));
}
for (const [name, text] of Object.entries(await llms(docs, manifest))) {
  await writeFile(new URL(name, site), text);
}
