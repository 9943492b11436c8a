// The runs service as the compiler sees it.
import type { Event, InputMessage } from "agentwire/ag-ui";
import {
  type BlobStore,
  createRuns,
  type DurableObjects,
  durableRuns,
  jwtUsers,
  memoryBlobs,
  type RunAgent,
} from "agentwire/runs/server";
import { type LogStore, memoryStore, sqliteStore } from "agentwire/stores";
import { respond } from "agentwire/server";

interface Env {
  readonly KEY: string;
}

export const agent: RunAgent<Env> = ({ threadId, runId }, { history, user, env, signal }) => {
  history.map(({ role }) => role satisfies InputMessage["role"]);
  return respond(
    { signal },
    { protocol: "ag-ui", sessionId: threadId, responseId: runId },
    async (out) => {
      await out
        .message()
        .text()
        .delta(`${user satisfies string} ${env.KEY}`);
    },
  );
};

export const runs = createRuns({
  store: memoryStore(),
  blobs: memoryBlobs(),
  authenticate: jwtUsers({ secret: "s" }),
  agent,
  env: { KEY: "k" },
  limits: { userRuns: 5 },
});
export const answer: Promise<Response> = runs.fetch(new Request("https://app.example"));

createRuns({
  store: sqliteStore("runs.sqlite"),
  authenticate: ({ headers }) => headers.get("x-user") ?? undefined,
  async *agent({ threadId, runId }): AsyncGenerator<Event | string> {
    yield { type: "RUN_STARTED", threadId, runId };
    yield JSON.stringify({ type: "RUN_FINISHED", threadId, runId });
  },
}).close();

// @ts-expect-error a service identifies its users
createRuns({ store: memoryStore(), agent });

export const own: LogStore = {
  append: async (_log, _after, entries, head) => entries.length > 0 && head.label !== "",
  read: () => ({ last: 0, entries: [] }),
  list: (query) => ("label" in query ? [] : []),
  delete: async () => {},
};
export const blobs: BlobStore = {
  put: async () => {},
  head: async () => undefined,
  get: () => undefined,
  delete: () => {},
};

interface Bindings extends Env {
  readonly THREADS: DurableObjects;
}
const durable = durableRuns((env: Bindings) => ({
  threads: env.THREADS,
  users: env.THREADS,
  authenticate: () => "ann",
  agent,
  blobs,
}));
export const { Thread, User } = durable;
export default { fetch: durable.fetch };
