// Ids and what belongs to a conversation.
import { BASE, a2a, agUi, agentApi, aiSdk, chat, responses } from "./requests.mjs";
import { has } from "./match.mjs";

export default [
  {
    topic: "ids of messages",
    sources: {
      "ag-ui": agUi(),
      "ai-sdk": aiSdk(),
      a2a: a2a(),
      "agent-api": {
        session_id: "s",
        input: [
          { id: "u1", role: "user", type: "message", content: [{ type: "text", text: "hi" }] },
        ],
      },
      responses: responses({
        input: [{ type: "message", id: "msg_1", role: "user", content: "hi" }],
      }),
    },
    // Ids of clients are never ids of the server.
    targets: {
      responses: { input: [{ role: "user", id: { $oneOf: [undefined, "msg_1"] } }] },
      chat: has("hi"),
      anthropic: has("hi"),
      gemini: has("hi"),
    },
  },
  {
    topic: "id of the conversation",
    sources: {
      "ag-ui": agUi(),
      "ai-sdk": aiSdk(),
      "agent-api": agentApi(),
      a2a: a2a(),
      responses: responses(),
      chat: chat(),
    },
    targets: {
      responses: { conversation: undefined },
      chat: { conversation: undefined },
      anthropic: { conversation: undefined },
      gemini: { conversation: undefined },
    },
  },
  {
    topic: "conversation of the server",
    ofProvider: "conv_1",
    sources: { responses: responses({ conversation: "conv_1" }) },
    targets: {
      responses: { conversation: { $oneOf: ["conv_1", { id: "conv_1" }] } },
      chat: null,
      anthropic: null,
      gemini: null,
    },
  },
  {
    topic: "context of AG-UI",
    sources: { "ag-ui": agUi({ context: [{ description: "place", value: "Oslo" }] }) },
    targets: {
      responses: has("Oslo"),
      chat: has("Oslo"),
      anthropic: has("Oslo"),
      gemini: has("Oslo"),
    },
  },
  {
    topic: "a plain request",
    sources: BASE,
    targets: { responses: has("hi"), chat: has("hi"), anthropic: has("hi"), gemini: has("hi") },
  },
];
