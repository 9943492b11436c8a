// A runs service on Durable Objects.
import { durableRuns, r2Blobs } from "agentwire/runs/server";
import { protocols } from "./answers.mjs";
import { service } from "./runs_agent.mjs";

const runs = durableRuns((env) => ({
  ...service,
  ...env.OPTIONS,
  threads: env.THREADS,
  users: env.USERS,
  blobs: r2Blobs(env.BLOBS),
  answers: { handler: protocols },
}));

export const { Thread, User } = runs;
export default { fetch: runs.fetch };
