// Pages of the site that are files at the root of the repository, where GitHub expects them. Copied
// before a build, with their links.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { posix } from "node:path";

/** File at the root, and the page that it becomes. */
export const ROOT_PAGES = {
  "ARCHITECTURE.md": "project/architecture.md",
  "CHANGELOG.md": "project/changelog.md",
  "CONTRIBUTING.md": "project/contributing.md",
  "ROADMAP.md": "project/roadmap.md",
  "SECURITY.md": "project/security-policy.md",
};

/** Copies the files of `root` into the folder of the pages. */
export async function copyRootPages(root, docs) {
  for (const [file, page] of Object.entries(ROOT_PAGES)) {
    const text = await readFile(new URL(file, root), "utf8");
    await mkdir(new URL(posix.dirname(page) + "/", docs), { recursive: true });
    const folder = posix.dirname(`docs/${page}`);
    const copied = text.replace(
      /\]\((?![a-z]+:|#)([^)\s]+)\)/g,
      (_, target) => `](${posix.relative(folder, target)})`,
    );
    await writeFile(new URL(page, docs), `---\neditLink: false\n---\n\n${copied}`);
  }
}

/**
 * The address of a relative link of a page: of files outside of `docs` the page that they become,
 * or the file in the repository.
 *
 * @param page path of the page below `docs`
 * @param repository address of the files of the repository, ends with a slash
 */
export function resolveLink(href, page, repository) {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path, hash = ""] = href.split(/(?=#)/);
  const target = posix.join("docs", posix.dirname(page), path);
  const rootPage = ROOT_PAGES[target];
  if (rootPage !== undefined) return `/${rootPage}${hash}`;
  return target.startsWith("docs/") ? href : repository + target + hash;
}
