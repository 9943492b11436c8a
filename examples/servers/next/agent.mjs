// The agent of both routes. Replace it with your agent.
import { agentApiAdapter, agUiAdapter, createHandler, userText } from "agentwire/server";

async function agent(out, request) {
  const text = out.message().text();
  for (const token of ["You asked: ", userText(request)]) {
    await text.delta(token);
  }
}

/** Returns the handler of a route. */
export const handlerAt = (path) =>
  createHandler({ adapters: [agentApiAdapter({ path }), agUiAdapter({ path })], agent });
