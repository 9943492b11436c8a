// The homes that the package is tried in. Each row says what it is, what it needs besides the tools of this repository, and
// how `exercise.mjs` is run there.
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { launchBrowser, withPage } from "../support/browser.mjs";
import { serve } from "../support/serve.mjs";
import { startWorker } from "../support/worker.mjs";

const execute = promisify(execFile);
const MINUTES = 60_000;

const PROGRAM = `const started = performance.now();
const [agentwire, { exercise }] = await Promise.all([import("agentwire"), import("./exercise.mjs")]);
console.log("OUTCOME " + JSON.stringify(await exercise(agentwire, started)));
`;
const PAGE_PROGRAM = `import * as agentwire from "agentwire";
import { exercise } from "./exercise.mjs";
globalThis.outcome = exercise(agentwire, 0).catch((error) => ({ error: String(error?.stack ?? error) }));
globalThis.outcome.then((outcome) => location.search === "?tell" && fetch("/outcome", { method: "POST", body: JSON.stringify(outcome) }));
`;
const WORKER = `import * as agentwire from "agentwire";
import { exercise } from "./exercise.mjs";
export default { fetch: async () => Response.json(await exercise(agentwire)) };
`;
const page = (script) => `<!doctype html><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,"><script type="module" src="${script}"></script>\n`;

/** Runs a program to its end, within a limit. */
async function run(program, args, { cwd, env = {} }) {
  try {
    const options = { cwd, env: { ...process.env, ...QUIET, ...env }, maxBuffer: 64 << 20, timeout: 6 * MINUTES };
    const { stdout, stderr } = await execute(program, args, options);
    return stdout + stderr;
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout ?? ""}${error.stderr ?? error.message}`);
  }
}

/** The tools tell nobody what they do here. */
const QUIET = { CI: "1", NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false", DO_NOT_TRACK: "1" };

const printed = (output) => {
  const line = output.split("\n").find((line) => line.includes("OUTCOME "));
  if (line === undefined) {
    throw new Error(`no outcome was printed:\n${output}`);
  }
  return JSON.parse(line.slice(line.indexOf("OUTCOME ") + 8));
};

const runtime = (program, ...args) => async ({ folder, tool }) => {
  await writeFile(join(folder, "main.mjs"), PROGRAM);
  return { outcome: printed(await run(tool(program), [...args, "main.mjs"], { cwd: folder })) };
};

/** The sum of all code of a folder, as a server sends it. */
async function bytesOf(folder, filter = /\.(m?js|wasm)$/) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && filter.test(entry.name) && !entry.parentPath.includes("node_modules"));
  const sizes = files.map(async (file) => brotliCompressSync(await readFile(join(file.parentPath, file.name))).length);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function inChromium(url) {
  const browser = await launchBrowser();
  try {
    return await withPage(browser, url, async (page) => {
      await page.waitForFunction(() => globalThis.outcome !== undefined);
      return page.evaluate(() => globalThis.outcome);
    });
  } finally {
    await browser.close();
  }
}

async function served(folder, look = inChromium) {
  const server = await serve(folder);
  try {
    return await look(`${server.url}/index.html`);
  } finally {
    await server.close();
  }
}

/** A bundler that makes `dist/main.js` of `main.js`. */
const bundler = (bundle) => async ({ folder, tool }) => {
  await writeFile(join(folder, "main.js"), PAGE_PROGRAM);
  await bundle({ folder, tool });
  const dist = join(folder, "dist");
  if (!(await readdir(dist)).includes("index.html")) {
    await writeFile(join(dist, "index.html"), page("./main.js"));
  }
  return { bytes: await bytesOf(dist), outcome: await served(dist) };
};

/** Starts a server by its command, asks it, and ends it. */
async function whileRunning(program, args, { cwd, port, path = "/" }, ask) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...QUIET }, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  try {
    const url = `http://127.0.0.1:${port}`;
    for (let tries = 0; ; tries++) {
      const answered = await fetch(url + path, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined);
      if (answered?.ok) {
        return await ask(url);
      }
      if (tries > 120 || child.exitCode !== null) {
        throw new Error(`${program} does not serve:\n${said}\n${answered === undefined ? "" : await answered.text()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  } finally {
    // The group that was started here: the tools start programs of their own.
    try {
      process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
  }
}

/** A port that nobody has. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function files(folder, contents) {
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** Builds and starts an application of Next once; each of its rows asks another part of it. */
let next;
const nextApp = (path, ask) => async ({ folder, tool }) => {
  next ??= (async () => {
    const exercise = await readFile(join(folder, "exercise.mjs"), "utf8");
    const route = (runtime) => `import * as agentwire from "agentwire";
import { exercise } from "../../exercise.mjs";
${runtime}export const dynamic = "force-dynamic";
export const GET = async () => Response.json(await exercise(agentwire));
`;
    await files(folder, {
      "package.json": '{"name":"next-home","private":true,"type":"module"}',
      "next.config.mjs": "export default { outputFileTracingRoot: import.meta.dirname + '/../..', turbopack: { root: import.meta.dirname + '/../..' } };\n",
      "app/exercise.mjs": exercise,
      "app/layout.jsx": "export const metadata = { icons: 'data:,' };\nexport default ({ children }) => <html><body>{children}</body></html>;\n",
      "app/page.jsx": `"use client";
import { useEffect } from "react";
import * as agentwire from "agentwire";
import { exercise } from "./exercise.mjs";
export default function Page() {
  useEffect(() => void (globalThis.outcome ??= exercise(agentwire, 0)), []);
  return <p>home</p>;
}
`,
      "app/api/node/route.js": route(""),
      "app/api/edge/route.js": route('export const runtime = "edge";\n'),
    });
    await run(tool("next"), ["build"], { cwd: folder });
    return folder;
  })();
  const built = await next;
  const port = await freePort();
  const outcome = await whileRunning(tool("next"), ["start", "-p", String(port), "-H", "127.0.0.1"], { cwd: built, port }, (url) => ask(url + path));
  return { outcome };
};
const json = async (url) => {
  const answered = await fetch(url);
  const text = await answered.text();
  if (!answered.ok) {
    throw new Error(`${answered.status}: ${text}`);
  }
  return JSON.parse(text);
};

const VITEST = `import { expect, test } from "vitest";
import * as agentwire from "agentwire";
import { exercise } from "./exercise.mjs";
test("home", async () => {
  const outcome = await exercise(agentwire);
  console.log("\\nOUTCOME " + JSON.stringify(outcome) + "\\n");
  expect(outcome.emitted).toBe("Hello back");
});
`;

const CSP = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'`;

/** `quick`: needs nothing that the repository does not have. */
export const HOMES = [
  { name: "Node, the one that runs this", quick: true, run: runtime(process.execPath) },
  { name: "Node 20.19", run: runtime("node20") },
  { name: "Node 22", run: runtime("node22") },
  { name: "Node 24", run: runtime("node24") },
  { name: "Deno 2", run: runtime("deno", "run", "--allow-read", "--allow-env", "--no-lock", "--node-modules-dir=manual", "--cached-only") },
  { name: "Bun 1", run: runtime("bun", "run") },
  {
    name: "workerd, by miniflare",
    quick: true,
    async run({ folder }) {
      await writeFile(join(folder, "worker.js"), WORKER);
      const worker = await startWorker(join(folder, "worker.js"));
      try {
        return { outcome: await (await worker.dispatchFetch("http://localhost/")).json() };
      } finally {
        await worker.dispose();
      }
    },
  },
  {
    name: "workerd, by wrangler 4",
    async run({ folder, tool }) {
      await files(folder, {
        "worker.js": WORKER,
        "wrangler.json": '{"name":"home","main":"worker.js","compatibility_date":"2026-07-01"}',
      });
      // It wants a newer node than the one that this repository has to work with.
      const [node, wrangler] = [tool("node24"), tool("wrangler")];
      await run(node, [wrangler, "deploy", "--dry-run", "--outdir", "dist"], { cwd: folder });
      const port = await freePort();
      const started = [wrangler, "dev", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", String(await freePort())];
      const outcome = await whileRunning(node, started, { cwd: folder, port }, json);
      return { bytes: await bytesOf(join(folder, "dist"), /\.(js|wasm)$/), outcome };
    },
  },
  {
    name: "esbuild",
    quick: true,
    run: bundler(async ({ folder }) => {
      const { build } = await import("esbuild");
      const options = { bundle: true, minify: true, format: "esm", splitting: true, logLevel: "silent" };
      await build({ ...options, entryPoints: [join(folder, "main.js")], outdir: join(folder, "dist") });
    }),
  },
  {
    name: "Rollup 4",
    run: bundler(async ({ folder, tool }) => {
      await writeFile(join(folder, "rollup.config.mjs"), `import { nodeResolve } from "@rollup/plugin-node-resolve";
export default { input: "main.js", output: { dir: "dist", format: "es" }, plugins: [nodeResolve({ browser: true })] };
`);
      await run(tool("rollup"), ["-c"], { cwd: folder });
    }),
  },
  {
    name: "webpack 5",
    run: bundler(async ({ folder, from }) => {
      await writeFile(join(folder, "build.cjs"), `const webpack = require("webpack");
webpack({ mode: "production", context: __dirname, entry: "./main.js", output: { path: __dirname + "/dist", publicPath: "./" } }, (error, stats) => {
  if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); }
});
`);
      await run(process.execPath, ["build.cjs"], { cwd: folder });
    }),
  },
  {
    name: "Vite 8, build",
    quick: true,
    run: bundler(async ({ folder }) => {
      await writeFile(join(folder, "index.html"), page("/main.js"));
      const { build } = await import("vite");
      await build({ root: folder, base: "./", logLevel: "silent", configFile: false });
    }),
  },
  {
    name: "Vite 8, dev",
    quick: true,
    async run({ folder }) {
      await files(folder, { "main.js": PAGE_PROGRAM, "index.html": page("/main.js") });
      const { createServer } = await import("vite");
      const server = await createServer({ root: folder, configFile: false, logLevel: "silent", server: { port: await freePort(), host: "127.0.0.1" } });
      await server.listen();
      try {
        return { outcome: await inChromium(server.resolvedUrls.local[0]) };
      } finally {
        await server.close();
      }
    },
  },
  {
    name: "Parcel 2",
    note: "set `packageExports` to true under `@parcel/resolver-default` in package.json",
    run: bundler(async ({ folder, tool }) => {
      // It reads its options in the package.json of the project's root: here that of the tools.
      await files(folder, { "index.html": page("./main.js") });
      await run(tool("parcel"), ["build", "index.html", "--no-cache", "--public-url", "./", "--no-source-maps", "--dist-dir", join(folder, "dist")], { cwd: folder });
    }),
  },
  { name: "Next 16, client component", shared: "next", run: nextApp("/", inChromium) },
  { name: "Next 16, route handler", shared: "next", run: nextApp("/api/node", json) },
  { name: "Next 16, edge route", shared: "next", run: nextApp("/api/edge", json) },
  {
    name: "static page, import map, strict CSP",
    note: "map `agentwire` to `dist/entries/agentwire/browser.js`; a CSP has to allow `'wasm-unsafe-eval'`",
    quick: true,
    async run({ folder, package: installed }) {
      const map = JSON.stringify({ imports: { agentwire: "/agentwire/dist/entries/agentwire/browser.js" } });
      const { createHash } = await import("node:crypto");
      const hash = createHash("sha256").update(map).digest("base64");
      const policy = CSP.replace("script-src", `script-src 'sha256-${hash}'`);
      await files(folder, {
        "main.js": PAGE_PROGRAM,
        "index.html": `<!doctype html><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><title>t</title>
<script type="importmap">${map}</script><script type="module" src="./main.js"></script>\n`,
      });
      const { cp } = await import("node:fs/promises");
      await cp(installed, join(folder, "agentwire"), { recursive: true });
      return { outcome: await served(folder) };
    },
  },
  {
    name: "Firefox ESR",
    needs: "firefox-esr",
    run: async ({ folder, tool }) => {
      await writeFile(join(folder, "main.js"), PAGE_PROGRAM);
      const { build } = await import("esbuild");
      await build({ bundle: true, format: "esm", logLevel: "silent", entryPoints: [join(folder, "main.js")], outfile: join(folder, "dist/main.js") });
      return { outcome: await inFirefox(folder, tool("firefox-esr")) };
    },
  },
  {
    name: "vitest 5",
    run: async ({ folder, tool }) => {
      await files(folder, { "home.test.mjs": VITEST, "vitest.config.mjs": "export default { test: { include: ['home.test.mjs'] } };\n" });
      return { outcome: printed(await run(tool("vitest"), ["run", "--disable-console-intercept"], { cwd: folder })) };
    },
  },
  {
    name: "jest 30",
    note: "ES modules: `NODE_OPTIONS=--experimental-vm-modules`",
    run: async ({ folder, tool }) => {
      await files(folder, {
        "home.test.mjs": VITEST.replace('import { expect, test } from "vitest";\n', "").replace("console.log(", "process.stdout.write("),
        "package.json": '{"name":"jest-home","private":true,"type":"module","jest":{"testMatch":["**/home.test.mjs"],"transform":{},"testEnvironment":"node"}}',
      });
      return { outcome: printed(await run(tool("jest"), [], { cwd: folder, env: { NODE_OPTIONS: "--experimental-vm-modules" } })) };
    },
  },
];

/** Firefox is told an address, and the page tells what came of it. */
async function inFirefox(folder, program) {
  const { mkdtemp, rm } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const profile = await mkdtemp(join(tmpdir(), "agentwire-firefox-"));
  const script = await readFile(join(folder, "dist/main.js"));
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/outcome") {
      let body = "";
      for await (const chunk of request) body += chunk;
      tell(JSON.parse(body));
      return response.writeHead(204).end();
    }
    const isScript = pathname === "/main.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" }).end(isScript ? script : page("./main.js"));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/?tell`;
  const child = spawn(program, ["--headless", "--no-remote", "--profile", profile, url], { stdio: "ignore", detached: true });
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("the page said nothing for two minutes")), 2 * MINUTES).unref());
  try {
    return await Promise.race([told, late]);
  } finally {
    process.kill(-child.pid, "SIGTERM");
    server.close();
    server.closeAllConnections();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
