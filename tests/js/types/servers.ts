// The public API of servers as the compiler sees it.
import { convertRequest, type Loss } from "agentwire";
import {
  AgentError,
  agentApiAdapter,
  type AgentFunction,
  type AgentRequest,
  type AgentWriter,
  callModel,
  agUiAdapter,
  type CorsOptions,
  createHandler,
  type RequestContext,
  respond,
  withCors,
} from "agentwire/server";
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
  await text.delta(`${id satisfies string} ${env.KEY} ${http.url} ${request.id}`);
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
  fetch: createHandler({
    adapters: [agentApiAdapter(), agUiAdapter({ detect: (body) => body.startsWith("{") })],
    agent,
    cors,
    maxBodyBytes: 1 << 20,
  }),
};
export const wrapped: (request: Request, env: Env) => Promise<Response> = withCors(
  (request: Request, env: Env) =>
    respond(
      request,
      { env, protocol: "ag-ui", requestId: "r" },
      (out: AgentWriter, context: RequestContext<Env, unknown, Request>) => {
        void [out, context.env.KEY, context.http.url];
      },
    ),
);

export function asked(input: RunAgentInput, signal: AbortSignal): Request {
  return createRequest(
    "/process",
    convertRequest(input, { from: "ag-ui", to: "agent-api" }).request,
    { sessionId: "s", signal },
  );
}

export const strictly = createHandler<Env>({
  strict: true,
  onLosses(losses, { id, env }) {
    for (const { kind, class: worst, location, reason } of losses) {
      const meaning: "cosmetic" | "quality" | "contract" = worst;
      void [
        kind satisfies string,
        meaning,
        location satisfies string,
        reason satisfies string,
        id satisfies string,
        env.KEY,
      ];
    }
  },
  async agent(out, request) {
    const settings: Partial<AgentRequest> = {
      max_tokens: 100,
      thinking: { type: "enabled", budget_tokens: 1024 },
    };
    const response = await callModel({
      protocol: "anthropic",
      key: "k",
      model: "m",
      request,
      settings,
      strict: false,
      onLosses: (losses) => losses.length,
      signal: out.signal,
    });
    const { toolCalls, losses } = await out.forward(response);
    void [toolCalls[0]?.arguments, losses[0]?.class];
    throw new AgentError("QUOTA_EXCEEDED", "no more", { status: 429, cause: toolCalls });
  },
});
// @ts-expect-error a class is one of three
export const loss: Loss = { kind: "tool", class: "grave", location: "", reason: "", event: 0 };
