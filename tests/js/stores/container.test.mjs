// examples/servers/runs as its Dockerfile starts it, without Docker: the files are there, the
// health check succeeds, and SIGTERM waits for the run in progress.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SignJWT } from "jose";
import { RunsClient } from "agentwire/runs";
import { startPostgres, withoutPostgres } from "../support/databases.mjs";
import { freePort } from "../support/process.mjs";
import { sqliteNode, withoutSqlite } from "../support/runs_stores.mjs";
import { until } from "../support/until.mjs";

const SECRET = "a secret of at least thirty-two bytes";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const example = join(root, "examples/servers/runs");
const steps = (await readFile(join(example, "Dockerfile"), "utf8"))
  .split("\n")
  .map((line) => /^(\w+) (.*)$/.exec(line)?.slice(1) ?? []);
const argumentsOf = (name) => steps.filter(([step]) => step === name).map(([, value]) => value);
const [command] = argumentsOf("CMD").map((text) => JSON.parse(text));
const [check] = argumentsOf("HEALTHCHECK").map((text) => JSON.parse(text.replace(/^CMD /, "")));

// Inside the repository, so that the example finds the package.
const folder = await mkdtemp(join(root, "node_modules/.container-"));
after(() => rm(folder, { recursive: true, force: true }));
for (const files of argumentsOf("COPY")) {
  const names = files.split(" ");
  assert.equal(names.pop(), "./");
  // The tarball, of which the folder has the built package in its place.
  for (const name of names.filter((name) => name !== "agentwire-*.tgz"))
    await cp(join(example, name), join(folder, name));
}

const STORES = {
  SQLite: { skip: withoutSqlite, settings: async () => ({ DATA: folder }) },
  Postgres: {
    skip: withoutPostgres,
    async settings(context) {
      const server = await startPostgres();
      context.after(() => server.close());
      return { DATABASE_URL: await server.create() };
    },
  },
};

for (const [name, { skip, settings }] of Object.entries(STORES)) {
  test(`the container of the runs service starts, is healthy, and ends after its runs: ${name}`, {
    skip,
  }, async (context) => {
    assert.deepEqual([command[0], check[0]], ["node", "node"]);
    const port = await freePort();
    const node = name === "SQLite" ? sqliteNode : process.execPath;
    const env = {
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: String(port),
      JWT_SECRET: SECRET,
      ...(await settings(context)),
    };
    const isHealthy = () => spawnSync(node, check.slice(1), { env }).status === 0;
    assert.equal(isHealthy(), false, "before the start");
    const child = spawn(node, command.slice(1), {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("close", (code) => resolve(code)));
    context.after(() => child.kill("SIGKILL"));
    await until(isHealthy);
    const token = await new SignJWT({ sub: "ann" })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(SECRET));
    const client = new RunsClient(`http://127.0.0.1:${port}/api/v1/agent`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const content = Array.from({ length: 30 }, (_, at) => `w${at}`).join(" ");
    const messages = [{ id: "u", role: "user", content }];
    const { threadId, runId } = await client.createRun({
      threadId: crypto.randomUUID(),
      runId: "r",
      messages,
      forwardedProps: { runtime_mode: "chat" },
    });
    const following = client.events(threadId, runId).finished();
    await until(async () => (await client.history({ threadId })).messages.length > 0);
    child.kill("SIGTERM");
    const { snapshot } = await following;
    assert.deepEqual(
      [snapshot.status, snapshot.messages.at(-1).content],
      ["finished", `${content} `],
    );
    assert.equal(await ended, 0);
  });
}
