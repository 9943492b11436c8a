// The programs of the quick start, in projects that installed the tarball, print the documented
// output.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as vite from "vite";
import { launchBrowser, noBrowser, withPage } from "../support/browser.mjs";
import { serve } from "../support/serve.mjs";
import { startWorker } from "../support/worker.mjs";
import { consumer, run } from "./package.mjs";

const page = await readFile(new URL("../../../docs/quick-start.md", import.meta.url), "utf8");
const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** The block of a language and name. */
function block(language, name) {
  const [, text] =
    page.match(new RegExp("^```" + language + " " + name + "\\n([\\s\\S]*?)^```$", "m")) ??
    assert.fail(`no block ${language} ${name}`);
  return text;
}

test("Node", async () => {
  const folder = await consumer("node-esm");
  await writeFile(join(folder, "demo.mjs"), block("js", "node"));
  const { stdout } = await run(process.execPath, ["demo.mjs"], { cwd: folder });
  assert.equal(stdout, block("text", "node"));
});

test("Vite and React", { skip: noBrowser }, async (context) => {
  const folder = await consumer("react");
  for (const name of ["react", "react-dom", "scheduler", "@types", "csstype", "undici-types"]) {
    await symlink(join(modules, name), join(folder, "node_modules", name));
  }
  await mkdir(join(folder, "src"));
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><link rel="icon" href="data:," /><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  );
  await writeFile(join(folder, "src/App.tsx"), block("tsx", "page"));
  await writeFile(join(folder, "src/main.tsx"), MAIN);
  await writeFile(join(folder, "server.mjs"), block("js", "agent"));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  await run(process.execPath, [join(modules, "typescript/bin/tsc"), "-p", "."], { cwd: folder });
  await vite.build({
    root: folder,
    configFile: false,
    logLevel: "silent",
    oxc: { jsx: { runtime: "automatic" } },
  });

  const agent = spawn(process.execPath, ["--import", FREE_PORT, "server.mjs"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  context.after(() => agent.kill());
  const [port] = await once(agent.stdout, "data");
  const site = await serve(join(folder, "dist"));
  context.after(() => site.close());
  const browser = await launchBrowser();
  context.after(() => browser.close());
  await withPage(browser, `${site.url}/index.html`, async (tab) => {
    // The port of the page belongs to another program on some machines.
    await tab.route("http://127.0.0.1:8787/**", (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(":8787", `:${String(port).trim()}`),
      }),
    );
    await tab.locator("input").fill("Hello!");
    await tab.keyboard.press("Enter");
    await tab.getByText("assistant: Hello, world!").waitFor();
    assert.equal((await tab.locator("p").allInnerTexts()).join("\n") + "\n", block("text", "page"));
  });

  // With the agent at the origin of the page.
  for (const name of ["@vitejs", "vite"]) {
    await symlink(join(modules, name), join(folder, "node_modules", name));
  }
  await writeFile(
    join(folder, "vite.config.ts"),
    block("ts", "proxy").replace(":8787", `:${String(port).trim()}`),
  );
  await writeFile(
    join(folder, "src/App.tsx"),
    block("tsx", "page").replace("http://127.0.0.1:8787/", "/"),
  );
  const development = await vite.createServer({
    root: folder,
    logLevel: "silent",
    server: { host: "127.0.0.1", port: 0 },
  });
  context.after(() => development.close());
  await development.listen();
  await withPage(
    browser,
    `http://127.0.0.1:${development.httpServer.address().port}/index.html`,
    async (tab) => {
      await tab.locator("input").fill("Hello!");
      await tab.keyboard.press("Enter");
      await tab.getByText("assistant: Hello, world!").waitFor();
    },
  );
});

test("Cloudflare Workers", async () => {
  const folder = await consumer("worker");
  await writeFile(join(folder, "quick.mjs"), block("js", "worker"));
  const [, path, body] = /127\.0\.0\.1:8787(\/\S+)[^]* -d '([^']+)'/.exec(block("sh", "worker"));
  const worker = await startWorker(join(folder, "quick.mjs"), { compatibilityDate: "2026-01-01" });
  try {
    const response = await worker.dispatchFetch(`http://worker${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    assert.equal((await response.text()).trimEnd() + "\n", block("text", "worker"));
  } finally {
    await worker.dispose();
  }
});

const MAIN = `import { createRoot } from "react-dom/client";
import App from "./App.tsx";

createRoot(document.getElementById("root")!).render(<App />);
`;

/** As `create-vite` writes it, and with the declarations of the package checked. */
const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2022", "DOM", "DOM.Iterable"],
    module: "ESNext",
    types: [],
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    jsx: "react-jsx",
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    noUncheckedSideEffectImports: true,
  },
  include: ["src"],
};

/** Makes a server listen on a free port instead of the given one, and prints the port. */
const FREE_PORT =
  "data:text/javascript," +
  encodeURIComponent(`import { Server } from "node:net";
const { listen } = Server.prototype;
Server.prototype.listen = function (_, host) { return listen.call(this, 0, host, () => console.log(this.address().port)); };`);
