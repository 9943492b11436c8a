// The site: `cargo xtask docs` builds it into target/site.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { navigation } from "./navigation.mjs";
import { resolveLink } from "./root_pages.mjs";

const root = new URL("../../", import.meta.url);
const json = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));
const { name, description, homepage, repository } = json("pkg/package.json");
const address = repository.url.replace(/^git\+|\.git$/g, "");
const api = "docs/reference/api/navigation.json";

export default defineConfig({
  title: name,
  description,
  base: new URL(homepage).pathname,
  sitemap: { hostname: homepage },
  // Browsers request `/favicon.ico` otherwise.
  head: [["link", { rel: "icon", href: "data:," }]],
  cleanUrls: true,
  lastUpdated: false,
  outDir: fileURLToPath(new URL("target/site", root)),
  cacheDir: fileURLToPath(new URL("target/site-cache", root)),
  rewrites: { "README.md": "index.md" },
  // rustdoc writes these pages after the site.
  ignoreDeadLinks: [/^\/rust\//],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(markdown) {
      markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
        const links = tokens
          .flatMap(({ children }) => children ?? [])
          .filter(({ type }) => type === "link_open");
        for (const link of links) {
          link.attrSet(
            "href",
            resolveLink(
              link.attrGet("href"),
              env.relativePath.replace(/^index\.md$/, "README.md"),
              `${address}/blob/main/`,
            ),
          );
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/chat", activeMatch: "/guides/" },
      { text: "Protocols", link: "/protocols/responses", activeMatch: "/protocols/" },
      { text: "TypeScript API", link: "/reference/api/", activeMatch: "/reference/api/" },
      { text: "Rust API", link: "/rust/agentwire/index.html", target: "_self" },
      { text: "Playground", link: "/playground" },
    ],
    sidebar: navigation(existsSync(new URL(api, root)) ? json(api) : []),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        // Guides first: a word has dozens of hits in the reference of the API.
        miniSearch: {
          searchOptions: {
            boostDocument: (id) =>
              id.includes("/reference/api/") ? 0.2 : id.includes("/reference/") ? 0.6 : 1,
          },
        },
      },
    },
    notFound: { linkText: "Overview", linkLabel: "Overview" },
    socialLinks: [{ icon: "github", link: address }],
    editLink: { pattern: `${address}/edit/main/docs/:path`, text: "Edit this page" },
    footer: { message: "MIT or Apache-2.0" },
  },
});
