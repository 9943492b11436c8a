// Compiles the examples of the documents strictly, with declarations of the names that they assume.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const ASKED = "declare const conversationId: string;";
const MODEL = "declare function model(...given: unknown[]): AsyncIterable<string>;";
const AGENT = "type Agent = import('agentwire/server').AgentFunction; type Out = import('agentwire/server').AgentWriter;";

const NODE = "declare const process: { readonly env: Readonly<Record<string, string | undefined>> };";

/** The declarations that each example assumes, by document and name. */
const GIVEN = {
  "README.md": { demo: "", responses: NODE, chat: "", convert: "" },
  "pkg/README.md": { demo: "", responses: NODE, chat: "", slim: "" },
  "docs/protocols/ag-kit.md": {
    "basic-chat":
      ASKED +
      "declare function render(parts: readonly import('agentwire/ag-kit').Part[], changes: readonly import('agentwire').Change[]): void;" +
      "declare function offerRetry(report: import('agentwire').Report): void;",
    "client-tools":
      ASKED +
      "declare const tools: import('agentwire/ag-kit').Tool[];" +
      "declare function runTool(name: string | null, value: import('agentwire').Json | undefined): Promise<import('agentwire').Json>;",
    "server-tools": "declare function showCall(name: string | null, state: string, partial: unknown, result: string | undefined): void;" + ASKED,
    interrupts: ASKED + "declare function confirm(payload: import('agentwire').Json): Promise<boolean>;",
    server: MODEL,
  },
  "docs/protocols/ag-ui.md": {
    asking:
      "declare const threadId: string, tools: import('agentwire/ag-ui').Tool[]; declare function confirm(message: string | undefined): Promise<boolean>;" +
      "declare function runTool(name: string | null, value: import('agentwire').Json | undefined): Promise<import('agentwire').Json>;",
    writing: MODEL,
    builder:
      "declare const threadId: string, runId: string, state: { readonly [key: string]: import('agentwire').Json };" +
      "declare function send(...events: import('agentwire/server').BuilderEvent[][]): void;",
  },
  "docs/protocols/agent-api.md": {
    asking:
      "declare const session: string, tools: import('agentwire/agent-api').ToolEntry[]; declare function render(...given: unknown[]): void;" +
      "declare function runTool(name: string | null, value: import('agentwire').Json | undefined): Promise<import('agentwire').Json>;",
    writing: MODEL,
    builder: "declare const session: string, tokens: string[]; declare function send(...events: import('agentwire/server').BuilderEvent[]): void;",
  },
  "docs/protocols/responses.md": {
    asking:
      "declare const key: string, model: string, tools: import('agentwire/responses').Tool[]; declare function render(...given: unknown[]): void;" +
      "declare function runTool(name: string | null, value: import('agentwire').Json | undefined): Promise<import('agentwire').Json>;",
    writing: MODEL,
  },
  "docs/protocols/a2a.md": {
    asking: "declare function render(artifacts: readonly unknown[]): void; declare function confirm(text: unknown): Promise<boolean>;",
    following: "declare const id: string; declare function render(artifacts: readonly unknown[]): void;",
    server: "",
  },
  "docs/guides/converting.md": {
    pipe: "declare function log(...loss: string[]): void;",
    as:
      "declare const url: string, headers: Record<string, string>, body: string; declare function log(what: string, event: unknown): void;" +
      "declare function render(output: readonly unknown[]): void;",
    mount: MODEL,
    errors:
      "declare function mayAsk(session: string | null | undefined): Promise<boolean>; declare function report(id: string, error: unknown): void;" +
      "declare function answerTo(request: import('agentwire/server').AgentRequest): Promise<string>;",
    own: "declare const agent: import('agentwire/server').AgentFunction;",
  },
  "docs/reference/errors.md": { catching: "declare const body: string;" },
  "docs/protocols/runs.md": {
    client: "declare const token: string; declare function render(messages: readonly import('agentwire/ag-ui').Message[]): void;",
    resumable: "declare const body: string; declare function render(snapshot: import('agentwire/agent-api').Snapshot): void;",
    reload: "declare function requestOf(turn: import('agentwire/store').TurnRequest): Request;",
  },
  "docs/guides/reading.md": { loop: "", calls: "", events: "", decoder: "" },
  "docs/guides/validating.md": { testing: "" },
  "docs/guides/servers.md": {
    agent: MODEL + "declare function count(id: string, agent: string | null): Promise<void>; declare function log(id: string, error: unknown): void;",
    responses: "declare const agent: import('agentwire/server').AgentFunction; declare function kept(id: string, http: Request): Promise<Response | undefined>;",
    request: "declare const url: string, session: string, signal: AbortSignal;",
  },
  "docs/help/compare-chat.md": { compare: "", "http-agent": "" },
  "docs/guides/connect.md": {
    connect: "",
    approval:
      "declare const url: string; declare function token(): Promise<string>;" +
      "declare function confirm(question: import('agentwire').Json | undefined): Promise<boolean>;",
  },
  "docs/guides/front-ends.md": {
    store: "declare const body: string; declare function draw(state: import('agentwire/store').RunState<'agent-api'>): void;",
    conversation: "",
    "react-run": "",
    "react-chat": "declare function Turn(given: { turn: import('agentwire/store').Turn }): string;",
    vue: "",
    svelte: "",
  },
};

/** Examples of servers: these compile without the DOM library too, with the types of Node. */
const SERVERS = [
  ...["docs_protocols_ag_kit_md_server", "docs_protocols_ag_ui_md_writing", "docs_protocols_ag_ui_md_builder", "docs_protocols_a2a_md_server"],
  ...["docs_protocols_agent_api_md_writing", "docs_protocols_agent_api_md_builder", "docs_protocols_responses_md_writing", "docs_guides_converting_md_pipe", "docs_guides_converting_md_mount"],
  ...["docs_guides_converting_md_errors", "docs_guides_converting_md_own", "docs_reference_errors_md_catching", "docs_guides_servers_md_agent", "docs_guides_servers_md_responses", "docs_guides_servers_md_request"],
];

/** The options of new projects. */
const OPTIONS = {
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
  types: [],
  module: "NodeNext",
  strict: true,
  noEmit: true,
  jsx: "react-jsx",
  pretty: false,
};

/** Blocks that are not compiled here, by page and name, or by page: the reason. */
const ELSEWHERE = {
  "docs/quick-start.md": "tests/packaging/quick_start.test.mjs compiles and runs them in projects of their own",
  "docs/guides/runs.md": "tests/workerd/runs_guide.test.mjs runs them as programs, and tests/types/runs.ts has the same calls",
  "docs/help/compare-chat.md tanstack": "its packages are not installed",
  "docs/help/compare-chat.md ai-sdk": "its package is not installed",
};

test("every block of TypeScript and JavaScript is compiled", async () => {
  const files = await readdir(join(root, "docs"), { recursive: true });
  const pages = files.filter((name) => name.endsWith(".md") && !/node_modules|reference[\\/]api[\\/]/.test(name)).map((name) => `docs/${name.replaceAll("\\", "/")}`);
  const missing = [];
  for (const page of ["README.md", "pkg/README.md", ...pages]) {
    const text = await readFile(join(root, page), "utf8");
    for (const [, language, name] of text.matchAll(/^ *```(\w*) ?([^\n]*)\n[^]*?^ *```$/gm)) {
      const isCompiled = GIVEN[page]?.[name] !== undefined || ELSEWHERE[page] !== undefined || ELSEWHERE[`${page} ${name}`] !== undefined;
      // Shell commands, and text for configuration and output.
      const isCode = !["sh", "toml", "yaml", "text", "rust"].includes(language);
      if (isCode && !isCompiled) missing.push(`${page}: ${language} ${name}`);
      // A documentation test of src/lib.rs.
      if (language === "rust" && !["README.md", "docs/quick-start.md"].includes(page)) missing.push(`${page}: rust`);
    }
  }
  assert.deepEqual(missing, []);
});

test("every example has the types that the package declares", async (context) => {
  // Inside the repository, so that the compiler finds the package.
  const folder = await mkdtemp(join(root, "node_modules/.examples-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  // The declaration of an address by a bundler.
  await writeFile(join(folder, "assets.d.ts"), 'declare module "*?url" { const url: string; export default url; }');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, include: ["*.tsx", "*.d.ts"] }));
  const server = { ...OPTIONS, lib: ["ES2022"], types: ["node"] };
  const files = SERVERS.map((name) => `${name}.tsx`);
  await writeFile(join(folder, "tsconfig.server.json"), JSON.stringify({ compilerOptions: server, files }));
  for (const [path, given] of Object.entries(GIVEN)) {
    const text = await readFile(join(root, path), "utf8");
    const names = [...text.matchAll(/^```[jt]sx? (\S+)$/gm)].map(([, name]) => name);
    assert.deepEqual(names.filter((name) => !(`${path} ${name}` in ELSEWHERE)).sort(), Object.keys(given).sort(), path);
    for (const name of Object.keys(given)) {
      const [, code] = text.match(new RegExp("```[jt]sx? " + name + "\\n([\\s\\S]*?)```"));
      const imports = /^import [^;]*;$/gm;
      // The result of an example becomes the result of a function.
      // The types of a component's properties are not in JavaScript.
      const body = code.replace("useRun(run)", 'useRun<"agent-api">(run)').replace(imports, "").replace("export default", "return").replace(/^export function/gm, "return function");
      const file = `${path.replace(/\W/g, "_")}_${name}.tsx`;
      await writeFile(join(folder, file), `${code.match(imports)?.join("\n")}\n${given[name]}\nexport async function example() {${body}\n}\n`);
    }
  }
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  for (const project of ["tsconfig.json", "tsconfig.server.json"]) {
    await promisify(execFile)(process.execPath, [tsc, "-p", join(folder, project)]).catch(({ stdout }) => assert.fail(`${project}: ${stdout}`));
  }
});
