// A service whose protocols have resumable answers, and a fetch whose first connection is cut.
import { WRITABLE } from "agentwire";
import { createHandler, responsesAdapter } from "agentwire/server";
import { agent, runsOptions } from "./runs_agent.mjs";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const textIn = ({ content = [] }) => content.map(({ text = "" }) => text).join("");

/**
 * Runs the command in the last message: `count N MS` writes N numbers, one each MS milliseconds;
 * `recall` repeats the earlier messages; `who` names the user; `fail` throws before it writes;
 * `ask` waits for an approval, which the next message is.
 */
export async function protocolAgent(out, request, { user }) {
  const { input } = request.toJSON();
  const answer = request.answers.find(({ kind }) => kind === "approval");
  if (answer !== undefined)
    return void (await out
      .message()
      .text()
      .delta(answer.approved ? "approved" : "declined"));
  const texts = input.filter(({ type = "message" }) => type === "message").map(textIn);
  const [command, count = "3", ms = "0"] = texts.at(-1).split(" ");
  if (command === "ask")
    return void (await out.interrupt({ id: "i", reason: "approval", text: "May I?", payload: {} }));
  if (command === "fail") throw new Error("a secret of the agent");
  const text = out.message().text();
  const words = {
    recall: () => [texts.slice(0, -1).join("|")],
    who: () => [user ?? "a stranger"],
    count: () => Array.from({ length: Number(count) }, (_, at) => `${at + 1} 好 `),
  }[command]();
  for (const word of words) {
    if (out.signal.aborted) return;
    if (ms !== "0") await pause(Number(ms));
    await text.delta(word);
  }
}

const paramsOf = (text, role = "ROLE_USER") => ({
  message: { messageId: "m", role, parts: [{ kind: "text", text }] },
});

/** A request to each protocol: its path and body. */
export const REQUESTS = {
  "agent-api": (text) => [
    "/process",
    {
      input: [{ role: "user", content: [{ type: "text", text }] }],
      session_id: crypto.randomUUID(),
    },
  ],
  agentscope: (text) => [
    "/chat/",
    {
      agent_id: "a",
      session_id: crypto.randomUUID(),
      input: { name: "user", role: "user", content: [{ type: "text", text }] },
    },
  ],
  "ag-kit": (text) => [
    "/send-message",
    { conversationId: crypto.randomUUID(), messages: [{ role: "user", content: text }] },
  ],
  "ag-ui": (text) => [
    "/ag-ui",
    {
      threadId: "t",
      runId: "r",
      messages: [{ id: "u", role: "user", content: text }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
  ],
  responses: (text) => ["/v1/responses", { model: "demo", input: text, stream: true }],
  "ai-sdk": (text) => [
    "/api/chat",
    { id: "c", messages: [{ id: "u", role: "user", parts: [{ type: "text", text }] }] },
  ],
  a2a: (text) => [
    "/a2a",
    { jsonrpc: "2.0", id: "q", method: "SendStreamingMessage", params: paramsOf(text) },
  ],
  "a2a 0.3": (text) => [
    "/a2a",
    { jsonrpc: "2.0", id: 7, method: "message/stream", params: paramsOf(text, "user") },
  ],
  "a2a rest": (text) => ["/a2a/message:stream", paramsOf(text)],
};
/** The options of a reader by the name of a request. */
export const optionsOf = (name) => ({
  protocol: name.split(" ")[0],
  ...(name.includes("rest") && { binding: "rest" }),
});

/** A handler of all protocols without a store. */
export const protocols = createHandler({ agent: protocolAgent, onError: () => {} });

/** The agent of the runs endpoints, and that of the protocols. */
const bothAgents = (out, request, context) =>
  (new URL(context.http.url).pathname.startsWith("/api/v1/agent") ? agent : protocolAgent)(
    out,
    request,
    context,
  );

/** Returns the options of a handler with all protocols and the runs endpoints. */
export const answersOptions = (options) =>
  runsOptions({
    agent: bothAgents,
    protocols: WRITABLE,
    ...options,
    adapters: options.adapters ?? [responsesAdapter({ path: "/compatible-mode/v1/responses" })],
  });

/** Returns a handler with a store, with the runs endpoints if its requests have users. */
export function answersOn(store, { isPublic = false, ...options } = {}) {
  return createHandler(
    isPublic
      ? { agent: bothAgents, onError: () => {}, ...options, store }
      : answersOptions({ ...options, store }),
  );
}

/** Returns a fetch of a service whose first response is cut after so many bytes. */
export function cutFetch(runs, bytes, headers = {}) {
  let left = bytes;
  return async (url, init) => {
    const request = new Request(url, init);
    Object.entries(headers).forEach(([name, value]) => request.headers.set(name, value));
    const response = await runs(request);
    if (left === undefined) return response;
    const most = left;
    left = undefined;
    return new Response(cut(response.body, most), response);
  };
}

function cut(body, most) {
  const reader = body.getReader();
  let left = most;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = left > 0 ? await reader.read() : { done: true };
      if (done || value.length > left) {
        if (value && left > 0) controller.enqueue(value.subarray(0, left));
        left = 0;
        reader.cancel().catch(() => {});
        return setTimeout(() => controller.error(new TypeError("cut")));
      }
      left -= value.length;
      controller.enqueue(value);
    },
  });
}
