// A handler with a store as the compiler sees it.
import {
  type BlobStore,
  type DurableObjects,
  durableHandler,
  jwtUsers,
  memoryBlobs,
  runsAdapter,
} from "agentwire/runs/server";
import { handlerStore, type LogStore, memoryStore, sqliteStore } from "agentwire/stores";
import { type AgentFunction, createHandler } from "agentwire/server";

interface Env {
  readonly KEY: string;
}

export const agent: AgentFunction<Env> = async (out, { messages }, { user, env }) => {
  messages.map(({ role }) => role satisfies string);
  await out
    .message()
    .text()
    .delta(`${user satisfies string | undefined} ${env.KEY}`);
};

export const handler = createHandler({
  store: memoryStore(),
  adapters: [runsAdapter({ blobs: memoryBlobs(), limits: { uploads: 2 } })],
  authenticate: jwtUsers({ secret: "s" }),
  agent,
  env: { KEY: "k" },
  limits: { userRuns: 5 },
  whileRunning: "enqueue",
});
export const answer: Promise<Response> = handler(new Request("https://app.example"));
export const closed: Promise<void> = handler.close({ waitMs: 10 });

createHandler({
  store: sqliteStore("runs.sqlite"),
  authenticate: ({ headers }) => headers.get("x-user") ?? undefined,
  agent: (out) => out.message().text().delta("Hi"),
}).close();

// @ts-expect-error a handler without a store has nothing to close
createHandler({ agent }).close();

export const own: LogStore = {
  append: async (_log, _after, entries, head) => entries.length > 0 && head.label !== "",
  read: () => ({ last: 0, entries: [] }),
  list: (query) => ("label" in query ? [] : []),
  delete: async () => {},
};
createHandler({ store: handlerStore(own), agent });
// @ts-expect-error a store of one's own is passed in handlerStore()
createHandler({ store: own, agent });

export const blobs: BlobStore = {
  put: async () => {},
  head: async () => undefined,
  get: () => undefined,
  delete: () => {},
};

interface Bindings extends Env {
  readonly THREADS: DurableObjects;
}
const durable = durableHandler((env: Bindings) => ({
  threads: env.THREADS,
  users: env.THREADS,
  authenticate: () => "ann",
  agent,
  adapters: [runsAdapter({ blobs })],
}));
export const { Thread, User } = durable;
export default { fetch: durable.fetch };
