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

/**
 * AgentScope 2, as the web page of its service: the stream of the session is read before `POST
 * /chat/`, which only starts a reply. A request describes no tools: they belong to the agent.
 * https://github.com/agentscope-ai/agentscope, `agentscope/app/_router`
 */
const agentScope = {
  name: "raw agentscope",
  protocol: "agentscope",
  hasNoTools: true,
  needsStore: true,
  async converse({ url }) {
    const created = await json(`${url}/sessions/`, { agent_id: "agent", name: "test" });
    const { session_id } = created;
    const stop = new AbortController();
    const address = `${url}/sessions/${session_id}/stream?agent_id=agent`;
    const stream = await fetch(address, { signal: stop.signal });
    if (!stream.ok) throw new ClientError(await stream.text());
    const events = eventsIn(stream.body);
    const [texts, memory] = [[], []];
    for (const text of QUESTIONS) {
      const input = { name: "user", role: "user", content: [{ type: "text", text }] };
      await json(`${url}/chat/`, { agent_id: "agent", session_id, input });
      let told = "";
      for (;;) {
        const { value: event } = await events.next();
        memory.push(event);
        if (event.type === "TEXT_BLOCK_START") told = "";
        if (event.type === "TEXT_BLOCK_DELTA") told += event.delta;
        if (event.type !== "REPLY_END") continue;
        if (event.finished_reason !== "completed") throw new ClientError(JSON.stringify(event));
        break;
      }
      texts.push(told);
    }
    stop.abort();
    const { messages } = await json(`${url}/sessions/${session_id}/messages?agent_id=agent`);
    const roles = messages.map(({ role }) => role).join();
    if (roles !== "user,assistant,user,assistant") throw new ClientError(`messages: ${roles}`);
    return { texts, memory };
  },
};

async function json(url, body) {
  const how = { method: "POST", headers: { "content-type": "application/json" } };
  const response = await fetch(url, body && { ...how, body: JSON.stringify(body) });
  if (!response.ok) throw new ClientError(await response.text());
  return response.json();
}

/** The events of a stream that has no end. */
async function* eventsIn(body) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const frames = rest.split("\n\n");
    rest = frames.pop();
    yield* frames.flatMap((frame) =>
      frame.startsWith("data: ") ? [JSON.parse(frame.slice(6))] : [],
    );
  }
}

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

export default [agentApi, agKit, agentScope];
