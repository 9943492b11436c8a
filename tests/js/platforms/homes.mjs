// The environments in which the package is tested. Each row has a name, a function that runs
// `exercise.mjs` there, and `quick` if it needs only the tools of this repository.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, run, startServer } from "../support/process.mjs";
import { startWorker } from "../support/worker.mjs";
import { inChromium, inFirefox, served } from "./browsers.mjs";
import { bytesOf, files } from "./files.mjs";
import { nextApp } from "./next_app.mjs";
import { PAGE_PROGRAM, PROGRAM, VITEST, WORKER, page } from "./programs.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const printed = (output) => {
  const line = output.split("\n").find((line) => line.includes("OUTCOME "));
  if (line === undefined) {
    throw new Error(`no outcome was printed:\n${output}`);
  }
  return JSON.parse(line.slice(line.indexOf("OUTCOME ") + 8));
};

const runtime =
  (program, ...args) =>
  async ({ folder, tool }) => {
    await writeFile(join(folder, "main.mjs"), PROGRAM);
    return { outcome: printed(await run(tool(program), [...args, "main.mjs"], { cwd: folder })) };
  };

/** A bundler that writes `dist/main.js` from `main.js`. */
const bundler =
  (bundle) =>
  async ({ folder, tool }) => {
    await writeFile(join(folder, "main.js"), PAGE_PROGRAM);
    await bundle({ folder, tool });
    const dist = join(folder, "dist");
    if (!(await readdir(dist)).includes("index.html")) {
      await writeFile(join(dist, "index.html"), page("./main.js"));
    }
    return { bytes: await bytesOf(dist), outcome: await served(dist) };
  };

const json = async (url) => {
  const answered = await fetch(url);
  const text = await answered.text();
  if (!answered.ok) {
    throw new Error(`${answered.status}: ${text}`);
  }
  return JSON.parse(text);
};

/** Requests a route, and starts and follows a run of the service beside it. */
const withRuns = async (url) => {
  const [threadId, runId] = [crypto.randomUUID(), crypto.randomUUID()];
  const messages = [{ id: "u", role: "user", content: "Hello" }];
  const runs = new URL("/agent/runs", url);
  const created = await fetch(runs, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ threadId, runId, messages, forwardedProps: { runtime_mode: "chat" } }),
  });
  const events = await (await fetch(`${runs}/${threadId}/events?runId=${runId}`)).text();
  if (
    created.status !== 202 ||
    !events.includes("Hello from Next") ||
    !events.includes('"RUN_FINISHED"')
  ) {
    throw new Error(`${created.status}: ${events}`);
  }
  return json(url);
};

const CSP = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'`;

/** `quick`: needs nothing that the repository does not have. */
export const HOMES = [
  { name: "Node, the one that runs this", quick: true, run: runtime(process.execPath) },
  { name: "Node 20.19", run: runtime("node20") },
  { name: "Node 22", run: runtime("node22") },
  { name: "Node 24", run: runtime("node24") },
  {
    name: "Deno 2",
    run: runtime(
      "deno",
      "run",
      "--allow-read",
      "--allow-env",
      "--no-lock",
      "--node-modules-dir=manual",
      "--cached-only",
    ),
  },
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
      // The worker of the playground, which has the runs service.
      await run(process.execPath, ["www/build.mjs"], { cwd: root });
      await run(node, [wrangler, "deploy", "--dry-run", "-c", "www/wrangler.jsonc"], { cwd: root });
      const port = await freePort();
      const started = [
        wrangler,
        "dev",
        "--ip",
        "127.0.0.1",
        "--port",
        String(port),
        "--inspector-port",
        String(await freePort()),
      ];
      const server = await startServer(node, started, { cwd: folder, port });
      try {
        return { bytes: await bytesOf(join(folder, "dist")), outcome: await json(server.url) };
      } finally {
        await server.close();
      }
    },
  },
  {
    name: "esbuild",
    quick: true,
    run: bundler(async ({ folder }) => {
      const { build } = await import("esbuild");
      const options = {
        bundle: true,
        minify: true,
        format: "esm",
        splitting: true,
        logLevel: "silent",
      };
      await build({
        ...options,
        entryPoints: [join(folder, "main.js")],
        outdir: join(folder, "dist"),
      });
    }),
  },
  {
    name: "Rollup 4",
    run: bundler(async ({ folder, tool }) => {
      await writeFile(
        join(folder, "rollup.config.mjs"),
        `import { nodeResolve } from "@rollup/plugin-node-resolve";
export default { input: "main.js", output: { dir: "dist", format: "es" }, plugins: [nodeResolve({ browser: true })] };
`,
      );
      await run(tool("rollup"), ["-c"], { cwd: folder });
    }),
  },
  {
    name: "webpack 5",
    run: bundler(async ({ folder, from }) => {
      await writeFile(
        join(folder, "build.cjs"),
        `const webpack = require("webpack");
webpack({ mode: "production", context: __dirname, entry: "./main.js", output: { path: __dirname + "/dist", publicPath: "./" } }, (error, stats) => {
  if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); }
});
`,
      );
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
      const server = await createServer({
        root: folder,
        configFile: false,
        logLevel: "silent",
        server: { port: await freePort(), host: "127.0.0.1" },
      });
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
      await files(folder, { "index.html": page("./main.js") });
      await run(
        tool("parcel"),
        [
          "build",
          "index.html",
          "--no-cache",
          "--public-url",
          "./",
          "--no-source-maps",
          "--dist-dir",
          join(folder, "dist"),
        ],
        { cwd: folder },
      );
    }),
  },
  { name: "Next 16, client component", shared: "next", run: nextApp("/", inChromium) },
  { name: "Next 16, route handler", shared: "next", run: nextApp("/api/node", withRuns) },
  { name: "Next 16, edge route", shared: "next", run: nextApp("/api/edge", json) },
  {
    name: "static page, import map, strict CSP",
    note: "map `agentwire` to `dist/page/agentwire.js`, and the other entry points likewise; a CSP has to allow `'wasm-unsafe-eval'`",
    quick: true,
    async run({ folder, package: installed }) {
      const entries = "/agentwire/dist/page";
      const map = JSON.stringify({
        imports: {
          agentwire: `${entries}/agentwire.js`,
          "agentwire/server": `${entries}/server.js`,
        },
      });
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
      await build({
        bundle: true,
        format: "esm",
        logLevel: "silent",
        entryPoints: [join(folder, "main.js")],
        outfile: join(folder, "dist/main.js"),
      });
      return { outcome: await inFirefox(folder, tool("firefox-esr")) };
    },
  },
  {
    name: "vitest 5",
    run: async ({ folder, tool }) => {
      await files(folder, {
        "home.test.mjs": VITEST,
        "vitest.config.mjs": "export default { test: { include: ['home.test.mjs'] } };\n",
      });
      return {
        outcome: printed(
          await run(tool("vitest"), ["run", "--disable-console-intercept"], { cwd: folder }),
        ),
      };
    },
  },
  {
    name: "jest 30",
    note: "ES modules: `NODE_OPTIONS=--experimental-vm-modules`",
    run: async ({ folder, tool }) => {
      await files(folder, {
        "home.test.mjs": VITEST.replace('import { expect, test } from "vitest";\n', "").replace(
          "console.log(",
          "process.stdout.write(",
        ),
        "package.json":
          '{"name":"jest-home","private":true,"type":"module","jest":{"testMatch":["**/home.test.mjs"],"transform":{},"testEnvironment":"node"}}',
      });
      return {
        outcome: printed(
          await run(tool("jest"), [], {
            cwd: folder,
            env: { NODE_OPTIONS: "--experimental-vm-modules" },
          }),
        ),
      };
    },
  },
];
