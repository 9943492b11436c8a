// A service with a store whose AgentScope clients have sessions, in TypeScript or in Rust.
import { connect } from "agentwire/agentscope";
import { createHandler } from "agentwire/server";
import { memoryStore } from "agentwire/stores";
import { rustAnswersOn } from "./rust_answers.mjs";

const question = (id) => ({
  id,
  reason: "confirmation",
  payload: { name: "delete", arguments: `{"path":"${id}"}` },
});

async function ticking(out, ticks) {
  for (let tick = 0; tick < ticks && !out.signal.aborted; tick++) {
    await out.text(`${tick} `);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** An agent whose answer depends on the last text of the user. */
async function agent(out, { text, answers, messages }) {
  if (answers.length > 0) {
    return out.text(answers.map(({ id, approved, text }) => `${id}: ${approved ?? text}`).join());
  }
  switch (text) {
    case "ask":
      await out.text("Delete?");
      return out.interrupt(question("q1"), question("q2"));
    case "browse":
      for (const callId of ["c1", "c2"]) {
        const call = out.tool("browser", { callId });
        await call.arguments({ url: callId });
        await call.complete();
      }
      return;
    case "slow":
      return ticking(out, 400);
    case "count":
      return ticking(out, 40);
    case "fail":
      throw new Error("secret");
    default:
      return out.text(`${messages.length}: ${text}`);
  }
}

/** The handler, or the same service in Rust. `users` takes the user from the header `x-user`. */
function served({ users, ...options }) {
  const store = memoryStore();
  if (process.env.RUNS_PROGRAM !== undefined)
    return rustAnswersOn(store, { ...options, users, agent: "sessions" });
  const authenticate = ({ headers }) => headers.get("x-user") ?? undefined;
  return createHandler({
    ...{ store, agent, onError: () => {} },
    ...(users && { authenticate }),
    ...options,
  });
}

/** Opens the service for a test. `cut` receives the bodies of streams. */
export function openSessions(context, { cut = (body) => body, ...options } = {}) {
  const requests = [];
  const handler = served(options);
  context.after(() => handler.close());
  const fetch = async (request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname.split("/").at(-1) || pathname}`);
    const response = await handler(request);
    return pathname.endsWith("/stream") && response.ok
      ? new Response(cut(response.body), response)
      : response;
  };
  const get = async (session, path, init = {}) =>
    handler(new Request(`http://service.test/sessions/${session}${path}`, init));
  const post = (body, headers = {}) =>
    handler(
      new Request("http://service.test/chat/", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    );
  const opened = (more) =>
    connect("http://service.test/chat/", { agentId: "a", session: {}, fetch, ...more });
  return { handler, requests, get, post, opened };
}
