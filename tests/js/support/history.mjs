// A handler with a store whose agent shows what it has received, in TypeScript or in Rust.
import { AgentError, createHandler } from "agentwire/server";
import { memoryStore } from "agentwire/stores";
import { rustAnswersOn } from "./rust_answers.mjs";

const textsOf = ({ content = [] }) =>
  content.map(({ text, data }) => text ?? data?.output ?? data?.name).join("");

/**
 * A service of which a test sees the agent: `received` resolves to the messages of each request,
 * `waiting` to the texts whose answers wait, and `release` lets one go on.
 */
function inProcess({ users, ...options }) {
  const received = [];
  const gates = new Map();
  const handler = createHandler({
    ...(users && { authenticate: ({ headers }) => headers.get("x-user") ?? undefined }),
    onError() {},
    async agent(out, request, context) {
      received.push(
        request.toJSON().input.map((message) => `${message.role}: ${textsOf(message)}`),
      );
      const asked = request.text;
      if (asked === "refuse") throw new AgentError("BUSY", "no", { status: 429 });
      const text = out.message().text();
      if (asked === "id") return void (await text.delta(`id ${context.id}`));
      await text.delta(`answer to ${asked}`);
      if (asked === "fail") throw new Error("a secret");
      if (asked === "call") await out.tool("paint", { callId: "c1" }).arguments("{}");
      if (asked.startsWith("wait")) {
        await new Promise((go) => {
          gates.set(asked, go);
          out.signal.addEventListener("abort", go);
        });
      }
    },
    ...options,
  });
  return {
    handler,
    received: async () => received,
    waiting: async () => [...gates.keys()],
    release: async (text) => gates.get(text)(),
  };
}

function inRust({ store, ...options }) {
  const handler = rustAnswersOn(store, { ...options, agent: "history" });
  const get = async (path) => (await handler(new Request(`http://h/test/${path}`))).json();
  return {
    handler,
    received: () => get("received"),
    waiting: () => get("waiting"),
    release: (text) => handler(new Request(`http://h/test/release/${text}`, { method: "POST" })),
  };
}

/** Opens the service; with `users`, the header `x-user` has the user. */
export function openHistory({ store = memoryStore(), ...options } = {}) {
  const open = process.env.RUNS_PROGRAM === undefined ? inProcess : inRust;
  const service = open({ store, ...options });
  const ask = async (path, body, headers = {}) =>
    service.handler(
      new Request(`http://h${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
        body: JSON.stringify(body),
      }),
    );
  const say = async (id, text, more, headers) => {
    const message = { role: "user", content: [{ type: "text", text }], ...more };
    return ask("/process", { session_id: id, input: [message] }, headers);
  };
  const latest = async () => (await service.received()).at(-1);
  /** Says something, and returns the messages that the agent has received. */
  const said = async (...message) => {
    await (await say(...message)).text();
    return latest();
  };
  return { ...service, ask, say, said, latest };
}
