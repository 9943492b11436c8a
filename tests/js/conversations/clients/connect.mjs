// The client of this package in every protocol that is written.
import { connect } from "agentwire";
import { QUESTIONS, TOOLS, resultOf, toolList } from "../script.mjs";
import { ClientError } from "./client.mjs";

const PATHS = {
  "ag-ui": "/ag-ui",
  responses: "/v1/responses",
  "ai-sdk": "/api/chat",
  "agent-api": "/process",
  "ag-kit": "/send-message",
  a2a: "/a2a",
  agentscope: "/chat/",
};

/** The options of each protocol: how the settings of the model are sent. */
const OPTIONS = {
  "ag-ui": ({ parameters }) => ({ body: { forwardedProps: parameters } }),
  responses: ({ parameters }) => ({
    store: false,
    body: { model: "any", include: ["reasoning.encrypted_content"], ...parameters },
  }),
  // The client of the AI SDK does not describe its tools: the server defines them. A gateway needs
  // them in the body.
  "ai-sdk": ({ parameters, serverTools }) => {
    const tools = toolList().map((tool) => ({ type: "function", function: tool }));
    return { body: { ...(serverTools ? {} : { tools }), ...parameters } };
  },
  "agent-api": ({ parameters }) => ({ body: parameters }),
  "ag-kit": () => ({}),
  a2a: () => ({}),
  agentscope: () => ({}),
};

/** Protocols whose requests describe no tools. */
const WITHOUT_TOOLS = ["a2a", "agentscope"];

const clientOf = (protocol, name = protocol, more = {}) => ({
  name: `connect ${name}`,
  protocol,
  hasNoTools: WITHOUT_TOOLS.includes(protocol),
  ...more,
  async converse({ url, serverTools, parameters = {} }) {
    const withExecute = ([name, tool]) => [
      name,
      { ...tool, execute: async (args) => resultOf(name, args) },
    ];
    const tools =
      serverTools || WITHOUT_TOOLS.includes(protocol)
        ? {}
        : { tools: Object.fromEntries(Object.entries(TOOLS).map(withExecute)) };
    let memory;
    const persist = { load: () => null, save: (conversation) => void (memory = conversation) };
    const chat = connect(url + PATHS[protocol], {
      protocol,
      persist,
      ...tools,
      ...OPTIONS[protocol]({ parameters, serverTools }),
      ...more.options,
    });
    const texts = [];
    for (const question of QUESTIONS) {
      const { snapshot, error } = await chat.send(question).finished();
      if (error) throw new ClientError(error.message);
      texts.push(LAST_TEXT[protocol](snapshot));
    }
    return { texts, memory };
  },
});

export default [
  ...Object.keys(PATHS).map((protocol) => clientOf(protocol)),
  // As at AgentScope's own service: the replies are in the stream of a session.
  clientOf("agentscope", "agentscope session", {
    needsStore: true,
    options: { agentId: "agent", session: {} },
  }),
];

const joined = (parts = []) => parts.map(({ text = "" }) => text).join("");
const lastMessage = ({ output }) =>
  joined(output.findLast(({ type }) => type === "message")?.content);
const lastPart = ({ parts }) => parts.findLast(({ type }) => type === "text")?.text;

/** The last text in a snapshot. */
const LAST_TEXT = {
  "ag-ui": ({ messages }) =>
    messages.findLast(({ role, content }) => role === "assistant" && content)?.content,
  responses: lastMessage,
  "ai-sdk": lastPart,
  "agent-api": lastMessage,
  "ag-kit": lastPart,
  a2a: ({ task }) => joined(task?.artifacts?.at(-1)?.parts),
  agentscope: ({ content }) => content.findLast(({ type }) => type === "text")?.text,
};
