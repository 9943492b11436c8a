// Writes the notices of the licenses of the code that the WebAssembly modules contain:
// `notices.mjs file features`. The crates are those that cargo resolves for the target of the
// modules, and the standard library of Rust.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [file, features] = process.argv.slice(2);
const TARGET = "wasm32-unknown-unknown";
const cargo = (...parameters) =>
  execFileSync(process.env.CARGO ?? "cargo", parameters, {
    encoding: "utf8",
    maxBuffer: 256 << 20,
  });

const tree = cargo(
  "tree",
  "--locked",
  "--package",
  "agentwire",
  "--no-default-features",
  "--features",
  features,
  "--target",
  TARGET,
  "--edges",
  "normal",
  "--prefix",
  "none",
  "--format",
  "{p}",
);
const { packages } = JSON.parse(
  cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET),
);
const used = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
const crates = packages.filter(
  ({ name, version, source }) => source !== null && used.has(`${name} v${version}`),
);

/** The text of a license without a file of the crate: that of this package, with other owners. */
const mit = (owners) =>
  readFileSync("LICENSE-MIT", "utf8").replace(/^Copyright .*$/m, `Copyright (c) ${owners}`);

/**
 * Returns the license texts of a crate. Where several licenses can be chosen, it is that of MIT.
 */
function textsOf({ name, license, authors, manifest_path }) {
  const folder = dirname(manifest_path);
  const files = readdirSync(folder).filter((each) =>
    /^(licen[cs]e|copying|notice|copyright|unlicense)/i.test(each),
  );
  const isChoice = files.some((each) => /mit/i.test(each));
  const chosen = files.filter((each) => !(isChoice && /apache/i.test(each))).sort();
  if (chosen.length === 0 && !/\bMIT\b/.test(license ?? "")) {
    throw new Error(`the crate ${name} has no file with its license (${license})`);
  }
  return chosen.length > 0
    ? chosen.map((each) => readFileSync(join(folder, each), "utf8"))
    : [mit(authors.join(", ") || `the authors of ${name}`)];
}

const parts = [
  {
    title: "The standard library of Rust (MIT OR Apache-2.0), https://www.rust-lang.org",
    texts: [mit("The Rust Project Contributors")],
  },
  ...crates.map((crate) => ({
    title: [`${crate.name} ${crate.version} (${crate.license})`, crate.repository ?? crate.homepage]
      .filter(Boolean)
      .join(", "),
    texts: textsOf(crate),
  })),
];
// Crates with the same text share it.
const byText = new Map();
for (const { title, texts } of parts) {
  const text = texts
    .map((each) =>
      each
        .replace(/\r/g, "")
        .replace(/[ \t]+$/gm, "")
        .trim(),
    )
    .join("\n\n");
  byText.set(text, [...(byText.get(text) ?? []), title]);
}
const head =
  "The WebAssembly modules of this package, and their JavaScript, contain code of the following projects.\n";
writeFileSync(
  file,
  [head, ...[...byText].map(([text, titles]) => `${titles.join("\n")}\n\n${text}\n`)].join(
    `\n${"-".repeat(80)}\n\n`,
  ),
);
