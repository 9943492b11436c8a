// The agent of both routes. Replace it with your agent.
import { agentApiAdapter, agUiAdapter, createHandler } from "agentwire/server";

async function agent(out, request) {
  for (const token of ["You asked: ", request.text]) {
    await out.text(token);
  }
}

/** Returns the handler of a route. */
export const handlerAt = (path) =>
  createHandler({ adapters: [agentApiAdapter({ path }), agUiAdapter({ path })], agent });
