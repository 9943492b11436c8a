// An application of Next; each row requests another part of it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, run, startServer } from "../support/process.mjs";
import { files } from "./files.mjs";

let built;

/** A runs service, whose optional packages are not installed here. */
const RUNS = `import { runsAdapter } from "agentwire/runs/server";
import { memoryStore } from "agentwire/stores";
import { createHandler } from "agentwire/server";
const agent = (out) => out.message().text().delta("Hello from Next");
const adapters = [runsAdapter({ path: "/agent" })];
const handler = createHandler({ store: memoryStore(), agent, authenticate: () => "ann", adapters });
const serve = (request) => handler(request);
export { serve as GET, serve as POST };
`;

/** Builds the application once, starts it, and requests a path. */
export const nextApp =
  (path, ask) =>
  async ({ folder, tool }) => {
    built ??= (async () => {
      const exercise = await readFile(join(folder, "exercise.mjs"), "utf8");
      const route = (more = "") => `import * as agentwire from "agentwire";
import { respond } from "agentwire/server";
import { exercise } from "../../exercise.mjs";
${more}export const dynamic = "force-dynamic";
export const GET = async () => Response.json(await exercise({ ...agentwire, respond }));
`;
      await files(folder, {
        "package.json": '{"name":"next-home","private":true,"type":"module"}',
        "next.config.mjs":
          "export default { outputFileTracingRoot: import.meta.dirname + '/../..', turbopack: { root: import.meta.dirname + '/../..' } };\n",
        "app/exercise.mjs": exercise,
        "app/layout.jsx":
          "export const metadata = { icons: 'data:,' };\nexport default ({ children }) => <html><body>{children}</body></html>;\n",
        "app/page.jsx": `"use client";
import { useEffect } from "react";
import * as agentwire from "agentwire";
import { respond } from "agentwire/server";
import { exercise } from "./exercise.mjs";
export default function Page() {
  useEffect(() => void (globalThis.outcome ??= exercise({ ...agentwire, respond }, 0)), []);
  return <p>home</p>;
}
`,
        "app/api/node/route.js": route(),
        "app/agent/[...path]/route.js": RUNS,
        "app/api/edge/route.js": route('export const runtime = "edge";\n'),
      });
      await run(tool("next"), ["build"], { cwd: folder });
      return folder;
    })();
    const port = await freePort();
    const server = await startServer(
      tool("next"),
      ["start", "-p", String(port), "-H", "127.0.0.1"],
      { cwd: await built, port },
    );
    try {
      return { outcome: await ask(server.url + path) };
    } finally {
      await server.close();
    }
  };
