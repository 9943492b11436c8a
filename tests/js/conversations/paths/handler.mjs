// Servers in TypeScript: a handler that passes answers on, one with tools of its own, and one that
// changes the model.
import { createServer } from "node:http";
import { AgentError, callModel, createHandler, runTools } from "agentwire/server";
import { toNodeListener } from "agentwire/node";
import { memoryStore } from "agentwire/stores";
import { TOOLS, resultOf } from "../script.mjs";

const passing = (upstream) => async (out, request) => {
  const response = await callModel({
    ...modelOf(upstream),
    request: requestOf(request, upstream),
    signal: out.signal,
  });
  await out.forward(response);
};

/** A handler that passes answers on. */
export const handler = {
  name: "handler",
  canHaveServerTools: true,
  start: (upstream) => serve(passing(upstream)),
};

/** A handler with a store that passes answers on. */
export const storing = {
  name: "handler_store",
  canHaveServerTools: true,
  hasStore: true,
  start: (upstream) => serve(passing(upstream), { store: memoryStore() }),
};

/** A server with tools of its own. */
export const withTools = {
  name: "run_tools_typescript",
  serverTools: true,
  canHaveServerTools: true,
  start: (upstream) => serve((out, request) => answer(out, request, upstream)),
};

/** A server with tools of its own that calls another model from the second question on. */
export const switching = {
  name: "switch",
  serverTools: true,
  start: (first, second) =>
    serve((out, request) => {
      const questions = request
        .toJSON()
        .input.filter(({ role, type = "message" }) => role === "user" && type === "message");
      if (questions.length < 2) return answer(out, request, first);
      if (second.script === undefined) second.continues(first);
      return answer(out, request, second);
    }),
};

const withExecute = ([name, tool]) => [name, { ...tool, execute: (args) => resultOf(name, args) }];
const tools = Object.fromEntries(Object.entries(TOOLS).map(withExecute));

const answer = (out, request, upstream) =>
  runTools(out, { ...modelOf(upstream), request: requestOf(request, upstream), tools });

const modelOf = ({ protocol, url, model }) => ({ protocol, url, model, key: "test-key" });

/** The request with what the developer adds for a model. */
const requestOf = (request, { parameters, serverTools }) => {
  const { tools, ...asked } = request.toJSON();
  return { ...asked, ...parameters, tools: [...(tools ?? []), ...serverTools] };
};

/**
 * Serves an agent in every protocol. The client receives the messages of errors, so that a failed
 * test can print them.
 */
async function serve(agent, options) {
  const onError = (error) => new AgentError("failed", `${error.message} ${error.body ?? ""}`);
  const served = createHandler({ agent, onError, ...options });
  const server = createServer(toNodeListener(served));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        void served.close?.();
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
