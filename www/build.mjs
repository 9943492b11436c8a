// Builds the worker and the page into www/dist. The package has to be built: `cargo xtask build`.
//
//   node www/build.mjs
// node www/build.mjs --static FOLDER [--worker URL]     only the page, for a server of static files
import { mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { samples } from "./samples.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const corpus = join(here, "../tests/data/corpus");

/** The timestamps of file systems are less exact than the clock. */
const SLACK = 2000;

/** The options of both bundles. */
const shared = {
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/** Builds everything; resolves to the folders of the worker and of the page. */
export async function buildSite(dist = join(here, "dist")) {
  const worker = join(dist, "worker");
  const page = join(dist, "page");
  const began = Date.now();
  await Promise.all([buildWorker(worker), buildPlayground(page), buildRunsPage(page)]);
  await removeOlder(dist, began);
  return { worker, page };
}

/**
 * Removes the files of earlier builds. At the end of the build, because a server that runs from
 * this folder must not miss a file.
 */
async function removeOlder(folder, began) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && (await stat(path)).mtimeMs < began - SLACK) {
      await rm(path);
    }
  }
}

/**
 * Bundles the worker as one module; the wasm stays a file, which the runtime compiles before the
 * worker starts.
 */
function buildWorker(outdir) {
  return build({
    ...shared,
    entryPoints: { index: join(here, "worker/index.ts") },
    // Modules of the platform.
    external: ["cloudflare:*"],
    outdir,
    conditions: ["workerd", "worker", "browser"],
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
  });
}

/**
 * Builds the page of streams with the samples; `alias` maps packages to the modules that replace
 * them in the bundle.
 */
export async function buildPlayground(page, alias, markup) {
  await Promise.all([buildPage(page, alias, markup), copySamples(join(page, "samples"))]);
}

/**
 * Builds the page for a server of static files, which sends no headers: the policy is in the page.
 * `worker` is the address of the worker, if there is one.
 */
export async function buildStatic(page, worker = "none") {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`;
  await buildPlayground(page, {}, (html) =>
    html
      .replace('content="%WORKER%"', `content="${worker}"`)
      .replace('<meta name="viewport"', `${policy}$&`),
  );
}

/** The policy of www/worker/assets.ts, without the directives that a page cannot set for itself. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: https:; connect-src 'self' https: http:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * The options of both pages: modules, so that the wasm is a chunk of its own that loads in
 * parallel.
 */
const ofPages = { ...shared, splitting: true, minify: true, chunkNames: "[name]-[hash]" };

async function buildPage(outdir, alias = {}, markup = (html) => html) {
  const entryPoints = {
    main: join(here, "page/main.ts"),
    style: join(here, "page/style/style.css"),
  };
  await build({ ...ofPages, alias, entryPoints, outdir });
  await Promise.all([
    copyPage(join(here, "page/index.html"), join(outdir, "index.html"), markup),
    copy(join(here, "page/icon.svg"), join(outdir, "icon.svg")),
    writeNotices(join(outdir, "THIRD-PARTY-NOTICES.txt")),
  ]);
}

/**
 * Writes the notices of the licenses of the code in the page: those of the package, and that of the
 * Markdown parser.
 */
async function writeNotices(file) {
  const [ofPackage, ofMarked] = await Promise.all(
    ["../pkg/dist/THIRD-PARTY-NOTICES", "../node_modules/marked/LICENSE"].map((path) =>
      readFile(join(here, path), "utf8"),
    ),
  );
  await writeFile(
    file,
    `${ofPackage}\n${"-".repeat(80)}\n\nmarked (MIT), https://github.com/markedjs/marked\n\n${ofMarked}`,
  );
}

/**
 * Builds the page of runs. Modules that it shares with the other page import `agentwire/runs`, too,
 * so that only one core is loaded.
 */
async function buildRunsPage(outdir) {
  const alias = { "agentwire/runs": "agentwire/runs", agentwire: "agentwire/runs" };
  await build({
    ...ofPages,
    alias,
    entryPoints: { runs: join(here, "page/runs/main.ts") },
    outdir,
  });
  await copyPage(join(here, "page/runs.html"), join(outdir, "runs.html"));
}

async function copySamples(folder) {
  await mkdir(folder, { recursive: true });
  const index = samples.map(({ file, title, group }) => ({ file, title, group }));
  await Promise.all([
    writeFile(join(folder, "index.json"), JSON.stringify(index)),
    ...samples.map(({ file, path }) => copy(join(corpus, path, "stream.sse"), join(folder, file))),
  ]);
}

/** Copies a page. Its links to the documentation get the address from the package. */
async function copyPage(from, to, markup = (html) => html) {
  const { homepage } = JSON.parse(await readFile(join(here, "../pkg/package.json"), "utf8"));
  await writeFile(
    to,
    markup(await readFile(from, "utf8"))
      .replaceAll("%DOCS%", homepage)
      .replace("%WORKER%", ""),
  );
}

/** Copies a file with a new modification time. */
async function copy(from, to) {
  await writeFile(to, await readFile(from));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { static: { type: "string" }, worker: { type: "string" } },
  });
  await (values.static === undefined
    ? buildSite()
    : buildStatic(values.static, values.worker && new URL(values.worker).href));
}
