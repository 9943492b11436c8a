// The chat of the AI SDK, as `useChat` has it, with tools that the page runs (`onToolCall`,
// `addToolOutput`).
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithToolCalls,
} from "ai";
import { QUESTIONS, resultOf, toolList } from "../script.mjs";
import { ClientError } from "./client.mjs";

/** A chat with its state in memory, as the packages for React, Vue and Svelte make one each. */
class Chat extends AbstractChat {
  constructor(options) {
    const state = {
      status: "ready",
      error: undefined,
      messages: [],
      pushMessage: (message) => void (state.messages = [...state.messages, message]),
      popMessage: () => void (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (index, message) =>
        void (state.messages = state.messages.with(index, message)),
      snapshot: (thing) => structuredClone(thing),
    };
    super({ ...options, state });
  }
}

export default {
  name: "ai",
  protocol: "ai-sdk",
  async converse({ url, serverTools, parameters }) {
    // The tools are in the body, as an application does that defines them in the page.
    const tools = serverTools
      ? {}
      : { tools: toolList().map((tool) => ({ type: "function", function: tool })) };
    const chat = new Chat({
      id: "chat-1",
      transport: new DefaultChatTransport({
        api: `${url}/api/chat`,
        body: { ...tools, ...parameters },
      }),
      sendAutomaticallyWhen: serverTools ? undefined : lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall({ toolCall }) {
        if (serverTools || toolCall.providerExecuted) return;
        const { toolName: tool, toolCallId, input } = toolCall;
        // Not awaited: the output is added after the stream.
        void chat.addToolOutput({ tool, toolCallId, output: resultOf(tool, input) });
      },
    });
    const texts = [];
    for (const question of QUESTIONS) {
      await chat.sendMessage({ text: question });
      await idle(chat);
      if (chat.status === "error") throw new ClientError(chat.error.message);
      texts.push(chat.lastMessage.parts.findLast(({ type }) => type === "text")?.text);
    }
    return { texts, memory: chat.messages };
  },
};

/** Waits until a chat sends no further request. */
async function idle(chat) {
  for (let calm = 0; calm < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 4));
    calm = ["ready", "error"].includes(chat.status) ? calm + 1 : 0;
  }
}
