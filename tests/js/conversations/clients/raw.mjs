// Bodies of the Agent API and of AG-Kit as their documents show them, sent by `fetch`.
import { QUESTIONS, resultOf, toolList } from "../script.mjs";
import { ClientError, MAX_ROUNDS } from "./client.mjs";

/**
 * The Agent API: `input` has the messages of the conversation, also those of the assistant with
 * their types and data, so that a client without a session of the server repeats what it has
 * received. https://runtime.agentscope.io/en/protocol.html
 */
const agentApi = {
  name: "raw agent-api",
  protocol: "agent-api",
  async converse({ url, serverTools, parameters }) {
    const tools = serverTools
      ? undefined
      : toolList().map((tool) => ({ type: "function", function: tool }));
    const [input, texts] = [[], []];
    const sessionId = crypto.randomUUID();
    for (const question of QUESTIONS) {
      input.push({ role: "user", type: "message", content: [{ type: "text", text: question }] });
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const events = await eventsOf(`${url}/process`, {
          session_id: sessionId,
          input,
          tools,
          stream: true,
          ...parameters,
        });
        const {
          status,
          error,
          output = [],
        } = events.findLast(({ object }) => object === "response");
        if (status !== "completed") throw new ClientError(error?.message ?? status);
        // The messages without the members of their stream.
        input.push(
          ...output.map(({ id, type, role, content, metadata }) => ({
            id,
            type,
            role,
            content,
            metadata,
          })),
        );
        const data = (kind) =>
          output.filter(({ type }) => type === kind).map(({ content }) => content[0].data);
        const answered = new Set(data("function_call_output").map(({ call_id: id }) => id));
        const calls = data("function_call").filter(({ call_id: id }) => !answered.has(id));
        if (calls.length === 0) {
          texts.push(
            output
              .findLast(({ type }) => type === "message")
              ?.content.map(({ text }) => text)
              .join(""),
          );
          break;
        }
        for (const { call_id, name, arguments: json } of calls) {
          const data = { call_id, name, output: resultOf(name, JSON.parse(json)) };
          input.push({
            role: "tool",
            type: "function_call_output",
            content: [{ type: "data", data }],
          });
        }
      }
    }
    return { texts, memory: input };
  },
};

/**
 * AG-Kit: `messages` has new messages only, as the server keeps the conversation.
 * https://docs.ag-kit.dev, "HTTP API"
 */
const agKit = {
  name: "raw ag-kit",
  protocol: "ag-kit",
  async converse({ url, serverTools }) {
    const tools = serverTools ? undefined : toolList();
    const [texts, memory] = [[], []];
    const conversationId = crypto.randomUUID();
    for (const question of QUESTIONS) {
      let messages = [{ role: "user", content: question }];
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const events = await eventsOf(`${url}/send-message`, {
          conversationId,
          messages,
          tools,
        });
        memory.push(...events);
        const of = (kind) => events.filter(({ type }) => type === kind);
        const [failed] = of("error");
        if (failed) throw new ClientError(failed.error ?? JSON.stringify(failed));
        const done = new Set(of("tool-result").map(({ toolCallId }) => toolCallId));
        const calls = of("tool-call-start").filter(({ toolCallId }) => !done.has(toolCallId));
        if (calls.length === 0) {
          texts.push(
            of("text")
              .map(({ content }) => content)
              .join(""),
          );
          break;
        }
        messages = calls.map(({ toolCallId, toolCallName: name }) => {
          const pieces = of("tool-call-args").filter((event) => event.toolCallId === toolCallId);
          const json = pieces.map(({ delta }) => delta).join("");
          return { role: "tool", toolCallId, content: resultOf(name, JSON.parse(json)) };
        });
      }
    }
    return { texts, memory };
  },
};

async function eventsOf(url, body) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new ClientError(text);
  const data = text
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]");
  return data.map((line) => JSON.parse(line.slice(6)));
}

export default [agentApi, agKit];
