// The public API of servers as the compiler sees it.
import { convertRequest } from "agentwire";
import { agentApiAdapter, type AgentFunction, type AgentWriter, agUiAdapter, type CorsOptions, createHandler, type RequestContext, respond, withCors } from "agentwire/server";
import type { RequestInput as RunAgentInput } from "agentwire/ag-ui";
import { createRequest } from "agentwire/agent-api";

interface Env {
  readonly KEY: string;
}
interface Ctx {
  waitUntil(work: Promise<unknown>): void;
}

export const agent: AgentFunction<Env, Ctx> = async (out, request, { id, http, env, ctx }) => {
  await using text = out.message().text();
  await text.delta(`${id satisfies string} ${env.KEY} ${http.url} ${request.session_id}`);
  ctx.waitUntil(Promise.resolve());
  await out.state({ a: 1 });
  await out.activity("SEARCH", { id: "a" }).update({ hits: 3 });
  await using step = out.step("look");
  const scout = out.subagent("scout", { task: "find it" });
  await scout.complete({ found: true });
  await step.complete();
  await out.interrupt({ reason: "approval", payload: { question: "?" } });
  // @ts-expect-error a question has a reason
  await out.interrupt({ payload: null });
};

const cors: CorsOptions = { origin: ["https://app.example"], credentials: true };
export const worker: { fetch(request: Request, env: Env, ctx: Ctx): Promise<Response> } = {
  fetch: createHandler({ adapters: [agentApiAdapter(), agUiAdapter({ detect: (body) => body.startsWith("{") })], agent, cors, maxBodyBytes: 1 << 20 }),
};
export const wrapped: (request: Request, env: Env) => Promise<Response> = withCors((request: Request, env: Env) =>
  respond(request, { env, protocol: "ag-ui", requestId: "r" }, (out: AgentWriter, context: RequestContext<Env, unknown, Request>) => {
    void [out, context.env.KEY, context.http.url];
  }),
);

export function asked(input: RunAgentInput, signal: AbortSignal): Request {
  return createRequest("/process", convertRequest(input, { from: "ag-ui", to: "agent-api" }).request, { sessionId: "s", signal });
}
