// One agent in every protocol, and agents of `connect` for it.
import { createHandler, responsesAdapter } from "agentwire/server";
import { connect as a2a } from "agentwire/a2a";
import { connect as aiSdk } from "agentwire/ai-sdk";
import { connect as agKit } from "agentwire/ag-kit";
import { connect as agUi } from "agentwire/ag-ui";
import { connect as agentApi } from "agentwire/agent-api";
import { connect as responses } from "agentwire/responses";

/** Each protocol: its `connect`, its path, and whether its requests list tools of the client. */
export const PROTOCOLS = {
  "agent-api": { connect: agentApi, path: "/process", hasTools: true },
  "ag-kit": { connect: agKit, path: "/send-message", hasTools: true },
  "ag-ui": { connect: agUi, path: "/ag-ui", hasTools: true },
  responses: { connect: responses, path: "/v1/responses", hasTools: true, more: { store: false } },
  a2a: { connect: a2a, path: "/a2a", hasTools: false },
  "ai-sdk": { connect: aiSdk, path: "/api/chat", hasTools: true },
};

/** Repeats its last input, and asks a question. */
async function agent(out, { input }) {
  const { type, content } = input.at(-1);
  const { text, data } = content[0];
  if (type === "function_call_output") {
    const { output } = data;
    return output === "1 of 2" ? call(out, "count") : out.message().text().delta(`The page returned ${output}.`);
  }
  if (type === "mcp_approval_response") {
    return out.message().text().delta(data.approve ? "They are gone." : "They stay.");
  }
  if (text === "Paint it." || text === "Count.") {
    return call(out, text === "Count." ? "count" : "paint");
  }
  if (text === "Delete all.") {
    return out.interrupt({ id: `question_${input.length}_${content[0].text.length}`, reason: "confirmation", text: "Really?", payload: null });
  }
  if (text === "Wait.") {
    const message = out.message().text();
    await message.delta("I wait");
    await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
    return undefined;
  }
  return out.message().text().delta(`You said: ${text}`);
}

let calls = 0;

function call(out, name) {
  return out.tool(name, { callId: `call_${++calls}` }).arguments('{"color":"teal"}');
}

/** A handler of every protocol. */
export const handler = createHandler({ agent, onError: (error) => console.error(error) });

/** A handler of Responses that stores its responses: a server that stores none has `store: false` in each. */
export const storing = createHandler({ adapters: [responsesAdapter({ retrieve: () => undefined })], agent, onError: (error) => console.error(error) });

/** Options of `connect` that reach the handler, and the requests that were sent: their bodies, and their headers. */
export function reaching(serve = handler) {
  const sent = [];
  const fetch = async (request) => {
    sent.push({ url: request.url, headers: request.headers, body: await request.clone().json() });
    return serve(request);
  };
  return { fetch, sent };
}

/** An agent of a protocol, with the options that it needs. */
export function connected(protocol, { tools, serve, ...options } = {}) {
  const { connect, path, hasTools, more } = PROTOCOLS[protocol];
  const { fetch, sent } = options.fetch ? { fetch: options.fetch, sent: [] } : reaching(serve);
  const agent = connect(`http://agent.test${path}`, { fetch, ...more, ...(hasTools && tools && { tools }), ...options, ...(options.fetch && { fetch }) });
  return { agent, sent };
}

/** The text of the last response, for any protocol. */
export function textOf(snapshot) {
  const { messages, parts, output, task } = snapshot;
  const last = messages?.at(-1) ?? { content: "" };
  const pieces = parts ?? output?.flatMap(({ content }) => content ?? []) ?? task?.artifacts?.flatMap(({ parts }) => parts) ?? [{ text: last.content }];
  return pieces.map(({ text }) => text ?? "").join("");
}

/** Reads a run to its end; returns the text of the response and the number of requests. The stream must be valid. */
export async function read(run) {
  let last;
  for await (const update of run) {
    last = update;
  }
  const { snapshot, report } = await run.finished();
  if (report.violations.length > 0) {
    throw new Error(JSON.stringify(report.violations));
  }
  return { text: textOf(snapshot), rounds: last.round };
}
