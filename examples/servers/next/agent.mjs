// Both routes of this app. In one of your own it is the file with your agent.
import { agUiAdapter, agentApiAdapter, mount } from "agentwire";

async function agent(out, request) {
  const text = out.message().text();
  for (const token of ["You asked: ", request.input.at(-1)?.content?.[0]?.text ?? "nothing"]) {
    await text.delta(token);
  }
}

/** The handler of a route. */
export const handlerAt = (path) => mount([agentApiAdapter({ path }), agUiAdapter({ path })], agent);
