// llms.txt: the list of the pages for language models, and llms-full.txt: the pages themselves
// (https://llmstxt.org).
import { readFile } from "node:fs/promises";
import { navigation, pages } from "./navigation.mjs";

/** Returns both files by name. The reference of the API and rustdoc are only listed. */
export async function llms(docs, { name, description, homepage }) {
  const lines = [`# ${name}`, "", `> ${description}`];
  const full = [];
  for (const { text, items } of navigation([])) {
    lines.push("", `## ${text}`, "");
    // A section of a page is listed with the page.
    for (const page of pages(items).filter(({ link }) => !link.includes("#"))) {
      const address = new URL(page.link.slice(1), homepage).href;
      const isPage = !page.link.startsWith("/rust/") && !page.link.startsWith("/reference/api/");
      const content = isPage
        ? await readFile(new URL(`.${page.link === "/" ? "/README" : page.link}.md`, docs), "utf8")
        : undefined;
      const summary = content === undefined ? undefined : firstSentence(content);
      lines.push(`- [${page.text}](${address})${summary ? `: ${summary}` : ""}`);
      if (content !== undefined)
        full.push(
          `<!-- ${address} -->\n\n${content.replace(/^---\n[\s\S]*?\n---\n/, "").trim()}\n`,
        );
    }
  }
  return { "llms.txt": lines.join("\n") + "\n", "llms-full.txt": full.join("\n") };
}

/** Returns the first sentence below the title, without links. */
export function firstSentence(content) {
  const [, after = ""] = content.split(/^# .*$/m);
  const paragraph =
    after
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .find((part) => /^([A-Za-z*[]|`[^`])/.test(part)) ?? "";
  const text = paragraph
    .replace(/\s+/g, " ")
    .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/\*\*/g, "");
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}
