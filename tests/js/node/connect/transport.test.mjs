// The AI SDK's own chat, in its majors 5, 6 and 7, over `chatTransport`: it reaches agents of every
// protocol.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chatTransport } from "agentwire/store";
import { until } from "../support/sources.mjs";
import { PROTOCOLS, handler } from "./agents.mjs";

/** `ai` in each of its majors, as the packages of its hooks bring it. */
const MAJORS = {
  5: await import("../../../../node_modules/ai-sdk-react-2/node_modules/ai/dist/index.mjs"),
  6: await import("ai"),
  7: await import("../../../../node_modules/ai-sdk-react-4/node_modules/ai/dist/index.js").catch(
    () => import("../../../../node_modules/ai-sdk-react-4/node_modules/ai/dist/index.mjs"),
  ),
};

/** The state of a chat of the AI SDK, as its hooks keep it. */
class State {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => (this.messages = [...this.messages, message]);
  popMessage = () => (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index, message) =>
    (this.messages = this.messages.map((each, at) => (at === index ? message : each)));
  snapshot = (value) => structuredClone(value);
}

/** A chat of the AI SDK, and the chat of this package under it. */
function opened(major, protocol, options = {}) {
  const {
    AbstractChat,
    lastAssistantMessageIsCompleteWithToolCalls: answered,
    lastAssistantMessageIsCompleteWithApprovalResponses: decided = () => false,
  } = MAJORS[major];
  const { connect, path, hasTools, more } = PROTOCOLS[protocol];
  const chats = [];
  const transport = chatTransport((given) => {
    const chat = connect(`http://agent.test${path}`, {
      fetch: handler,
      ...given,
      ...more,
      ...(hasTools && { tools: { count: { execute: () => "2 of 2" }, paint: {} } }),
      ...options,
    });
    chats.push(chat);
    return chat;
  });
  const state = new State();
  class Chat extends AbstractChat {}
  const chat = new Chat({
    transport,
    state,
    sendAutomaticallyWhen: (given) => answered(given) || decided(given),
  });
  return { chat, chats, transport };
}

const shown = ({ messages }) =>
  messages.map(({ role, parts }) => [
    role,
    parts.flatMap((part) =>
      part.type === "text" && part.text !== ""
        ? part.text
        : part.state && part.toolCallId
          ? part.state
          : [],
    ),
  ]);
const texts = (chat) => shown(chat).map(([, parts]) => parts.at(-1));
const call = (chat) => chat.messages.at(-1).parts.find(({ toolCallId }) => toolCallId);

for (const major of Object.keys(MAJORS)) {
  for (const [protocol, { hasTools }] of Object.entries(PROTOCOLS)) {
    describe(`ai ${major}, ${protocol}`, () => {
      test("texts, and a second message in the same conversation", async () => {
        const { chat, chats } = opened(major, protocol);
        await chat.sendMessage({ text: "One." });
        await chat.sendMessage({ text: "Two." });
        assert.deepEqual(
          [texts(chat), chat.status, chats.length],
          [["One.", "You said: One.", "Two.", "You said: Two."], "ready", 1],
        );
        // The messages of both sides are the same.
        const own = chats[0].getSnapshot().messages;
        assert.deepEqual(shown({ messages: own }), shown(chat));
      });

      test("a tool of the chat is executed, and one of the page is answered", {
        skip: !hasTools && "the protocol has no tools of the client",
      }, async () => {
        const { chat } = opened(major, protocol);
        await chat.sendMessage({ text: "Count." });
        assert.deepEqual(shown(chat).at(-1)[1], ["output-available", "The page returned 2 of 2."]);
        await chat.sendMessage({ text: "Paint it." });
        assert.equal(call(chat).state, "input-available");
        await chat[
          major === "5" && chat.addToolOutput === undefined ? "addToolResult" : "addToolOutput"
        ]({ tool: "paint", toolCallId: call(chat).toolCallId, output: "painted" });
        await until(
          () => texts(chat).at(-1) === "The page returned painted." && chat.status === "ready",
        );
        assert.deepEqual(shown(chat).at(-1)[1], ["output-available", "The page returned painted."]);
      });

      test("an approval is asked once, and answered", {
        skip: major === "5" && "`ai` 5 has no approvals",
      }, async () => {
        const { chat, chats } = opened(major, protocol);
        await chat.sendMessage({ text: "Delete all." });
        const part = chat.messages.at(-1).parts.find(({ state }) => state === "approval-requested");
        await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
        await until(() => texts(chat).at(-1) === "They are gone." && chat.status === "ready");
        await new Promise((resolve) => setTimeout(resolve, 20));
        assert.equal(chats[0].getSnapshot().messages.length, 2);
      });

      test("a failure is its error, and regenerate() repeats the request", async () => {
        let isDown = true;
        const { chat } = opened(major, protocol, {
          fetch: (request) => (isDown ? new Response("busy", { status: 503 }) : handler(request)),
        });
        await chat.sendMessage({ text: "One." });
        assert.match(chat.error.message, /503/);
        assert.deepEqual(shown(chat), [["user", ["One."]]]);
        isDown = false;
        await chat.regenerate();
        assert.deepEqual([texts(chat), chat.status], [["One.", "You said: One."], "ready"]);
      });

      test("stop() keeps the text, and the next message is sent", async () => {
        const { chat, chats } = opened(major, protocol);
        const sent = chat.sendMessage({ text: "Wait." });
        await until(() => texts(chat).at(-1) === "I wait");
        await chat.stop();
        await sent;
        assert.deepEqual(
          [texts(chat), chats[0].getSnapshot().isBusy],
          [["Wait.", "I wait"], false],
        );
        await chat.sendMessage({ text: "Two." });
        assert.equal(texts(chat).at(-1), "You said: Two.");
      });
    });
  }
}

test("an earlier conversation of the AI SDK is sent, and a new one begins with an empty list", async () => {
  const seen = [];
  const { chat, chats } = opened("6", "ag-ui", {
    fetch: async (request) => {
      seen.push((await request.clone().json()).messages.map(({ content }) => content));
      return handler(request);
    },
  });
  chat.messages = [
    { id: "u", role: "user", parts: [{ type: "text", text: "Before." }] },
    { id: "a", role: "assistant", parts: [{ type: "text", text: "I was there." }] },
  ];
  await chat.sendMessage({ text: "One." });
  assert.deepEqual(seen, [["Before.", "I was there.", "One."]]);
  chat.messages = [];
  await chat.sendMessage({ text: "Two." });
  assert.deepEqual([seen[1], chats.length], [["Two."], 2]);
});

test("an edited message replaces what follows it", async () => {
  const seen = [];
  const { chat } = opened("6", "ag-ui", {
    fetch: async (request) => {
      seen.push((await request.clone().json()).messages.map(({ content }) => content));
      return handler(request);
    },
  });
  await chat.sendMessage({ text: "One." });
  await chat.sendMessage({ text: "Two." });
  await chat.sendMessage({ text: "Three.", messageId: chat.messages[0].id });
  assert.deepEqual([seen.at(-1), texts(chat)], [["Three."], ["Three.", "You said: Three."]]);
});

test("headers of one message are refused: they belong to `connect`", async () => {
  const { chat } = opened("6", "ag-ui");
  await chat.sendMessage({ text: "One." }, { headers: { authorization: "Bearer x" } });
  assert.equal(chat.error.code, "wrong-option");
});
