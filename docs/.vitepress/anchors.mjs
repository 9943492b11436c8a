// Links with an anchor, which VitePress does not check: the page has to have an element of that id.
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Returns the links of the built pages whose page or anchor does not exist. */
export async function deadAnchors(site, base) {
  const files = (await readdir(fileURLToPath(site), { recursive: true })).filter(
    (name) => name.endsWith(".html") && !name.startsWith("rust"),
  );
  const pages = new Map(
    await Promise.all(
      files.map(async (name) => [address(base, name), await readFile(new URL(name, site), "utf8")]),
    ),
  );
  const ids = new Map(
    [...pages].map(([page, html]) => [
      page,
      new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const dead = [];
  for (const [page, html] of pages) {
    for (const [, href] of html.matchAll(/<a [^>]*?href="([^"]*#[^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(
        href.replaceAll("&amp;", "&"),
        `http://site${page}`,
      );
      if (origin !== "http://site" || pathname.startsWith(`${base}rust/`)) continue;
      if (!ids.get(pathname.replace(/\.html$/, ""))?.has(decodeURIComponent(hash.slice(1))))
        dead.push(`${page}: ${href}`);
    }
  }
  return [...new Set(dead)];
}

/** The address of a page, as links name it. */
function address(base, name) {
  return (
    base +
    name
      .replaceAll("\\", "/")
      .replace(/(^|\/)index\.html$/, "$1")
      .replace(/\.html$/, "")
  );
}
