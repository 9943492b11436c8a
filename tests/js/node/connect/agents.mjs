// One agent in every protocol, and chats of `connect` with it.
import { createHandler, responsesAdapter } from "agentwire/server";
import { connect as a2a } from "agentwire/a2a";
import { connect as aiSdk } from "agentwire/ai-sdk";
import { connect as agKit } from "agentwire/ag-kit";
import { connect as agUi } from "agentwire/ag-ui";
import { connect as agentApi } from "agentwire/agent-api";
import { connect as agentscope } from "agentwire/agentscope";
import { connect as responses } from "agentwire/responses";

/**
 * Each protocol: its `connect`, its path, whether its requests list tools of the client, and who
 * keeps the conversation.
 */
export const PROTOCOLS = {
  "agent-api": { connect: agentApi, path: "/process", hasTools: true, history: "server" },
  agentscope: { connect: agentscope, path: "/chat/", hasTools: false, history: "server" },
  "ag-kit": { connect: agKit, path: "/send-message", hasTools: true, history: "server" },
  "ag-ui": { connect: agUi, path: "/ag-ui", hasTools: true, history: "client" },
  responses: {
    connect: responses,
    path: "/v1/responses",
    hasTools: true,
    history: "client",
    more: { store: false },
  },
  a2a: { connect: a2a, path: "/a2a", hasTools: false, history: "server" },
  "ai-sdk": { connect: aiSdk, path: "/api/chat", hasTools: true, history: "client" },
};

/** Repeats its last input, and asks a question. */
export async function agent(out, request) {
  const { input } = request.toJSON();
  const { type, content } = input.at(-1);
  const { text, data } = content[0];
  if (type === "function_call_output") {
    const { output } = data;
    return output === "1 of 2"
      ? call(out, "count")
      : out.message().text().delta(`The page returned ${output}.`);
  }
  if (type === "mcp_approval_response") {
    return out
      .message()
      .text()
      .delta(data.approve ? "They are gone." : "They stay.");
  }
  if (text === "Paint it." || text === "Count.") {
    return call(out, text === "Count." ? "count" : "paint");
  }
  if (text === "Delete all.") {
    return out.interrupt({
      id: `question_${input.length}_${content[0].text.length}`,
      reason: "confirmation",
      text: "Really?",
      payload: null,
    });
  }
  if (text === "Wait.") {
    const message = out.message().text();
    await message.delta("I wait");
    await new Promise((resolve) => out.signal.addEventListener("abort", resolve));
    return undefined;
  }
  const message = out.message().text();
  for (const word of `You said: ${text}`.split(/(?<= )/)) {
    await message.delta(word);
  }
}

let calls = 0;

function call(out, name) {
  return out.tool(name, { callId: `call_${++calls}` }).arguments('{"color":"teal"}');
}

/** A handler of every protocol. */
export const handler = createHandler({ agent, onError: (error) => console.error(error) });

/**
 * A handler of Responses that stores its responses: a server that stores none has `store: false` in
 * each.
 */
export const storing = createHandler({
  adapters: [responsesAdapter({ retrieve: () => undefined })],
  agent,
  onError: (error) => console.error(error),
});

/**
 * Options of `connect` that reach the handler, and the requests that were sent: their bodies, and
 * their headers.
 */
export function reaching(serve = handler) {
  const sent = [];
  const fetch = async (request) => {
    sent.push({ url: request.url, headers: request.headers, body: await request.clone().json() });
    return serve(request);
  };
  return { fetch, sent };
}

/**
 * A chat in a protocol, with the options that it needs, and its requests unless `fetch` is given.
 */
export function opened(protocol, { tools, serve, ...options } = {}) {
  const { connect, path, hasTools, more } = PROTOCOLS[protocol];
  const { fetch, sent } = options.fetch ? { fetch: options.fetch, sent: [] } : reaching(serve);
  const chat = connect(`http://agent.test${path}`, {
    ...more,
    ...(hasTools && tools && { tools }),
    ...options,
    fetch,
  });
  return { chat, sent };
}

/** The text of a message. */
export function textOf({ parts }) {
  return parts.map(({ type, text }) => (type === "text" ? text : "")).join("");
}

/**
 * The messages of a chat as lines: their role, their text and, unless it is `done`, their status.
 */
export function linesOf(chat) {
  return chat
    .getSnapshot()
    .messages.map(
      (message) =>
        `${message.role}: ${textOf(message)}${message.status === "done" ? "" : ` (${message.status})`}`,
    );
}

/** The text of the last message. */
export function lastText({ messages }) {
  return messages.length === 0 ? "" : textOf(messages.at(-1));
}

/**
 * Sends a message, and waits for the end of its run. The stream must be valid. Resolves to the text
 * of the answer.
 */
export async function ask(chat, input, options) {
  const text = await chat.send(input, options).text();
  const { report } = chat.getSnapshot();
  if (report.violations.length > 0) {
    throw new Error(JSON.stringify(report.violations));
  }
  return text;
}

/** A storage of texts, as a page has it. */
export function storageOf(text) {
  const items = new Map(text === undefined ? [] : [["chat", text]]);
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
