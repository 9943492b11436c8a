// A handler on Durable Objects.
import { durableHandler, r2Blobs } from "agentwire/runs/server";
import { answersOptions } from "./answers.mjs";

const handler = durableHandler((env) => ({
  ...answersOptions({ ...env.OPTIONS, blobs: r2Blobs(env.BLOBS) }),
  threads: env.THREADS,
  users: env.USERS,
}));

export const { Thread, User } = handler;
export default { fetch: handler.fetch };
