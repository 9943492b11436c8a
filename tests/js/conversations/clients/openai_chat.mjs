// The official client of OpenAI for Chat Completions. It passes each message back as it has received
// it: a whole one, or one that is joined from the deltas of a stream, as providers with reasoning
// document it.
import OpenAI from "openai";
import { QUESTIONS, resultOf, toolList } from "../script.mjs";
import { ClientError, MAX_ROUNDS } from "./client.mjs";

const client = (name, ask) => ({
  name,
  protocol: "chat",
  async converse({ url, serverTools, parameters }) {
    const api = new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 });
    const tools = serverTools
      ? undefined
      : toolList().map((tool) => ({ type: "function", function: { strict: true, ...tool } }));
    const settings = { model: "any", tools, ...parameters };
    const [messages, texts] = [[], []];
    for (const question of QUESTIONS) {
      messages.push({ role: "user", content: question });
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { message, finish_reason: finish } = await ask(api, { ...settings, messages });
        const calls = message.tool_calls ?? [];
        if (finish !== (calls.length > 0 ? "tool_calls" : "stop")) {
          throw new ClientError(`the finish reason is ${finish}`);
        }
        messages.push(message);
        if (calls.length === 0) {
          texts.push(message.content);
          break;
        }
        for (const { id, function: called } of calls) {
          const content = resultOf(called.name, JSON.parse(called.arguments));
          messages.push({ role: "tool", tool_call_id: id, content });
        }
      }
    }
    return { texts, memory: messages };
  },
});

/** Returns the choice of a stream. */
async function streamed(api, request) {
  const message = { role: "assistant", content: null };
  let finish_reason;
  for await (const { choices } of await api.chat.completions.create({ ...request, stream: true })) {
    if (choices[0] === undefined) continue;
    const { delta } = choices[0];
    for (const key of ["content", "reasoning_content"]) {
      if (delta[key]) message[key] = (message[key] ?? "") + delta[key];
    }
    if (delta.extra_content !== undefined) message.extra_content = delta.extra_content;
    if (delta.reasoning_details !== undefined) {
      message.reasoning_details = [
        ...(message.reasoning_details ?? []),
        ...delta.reasoning_details,
      ];
    }
    for (const { index, function: called, ...call } of delta.tool_calls ?? []) {
      message.tool_calls ??= [];
      const known = message.tool_calls[index];
      if (known === undefined) {
        message.tool_calls[index] = { ...call, function: called };
      } else {
        Object.assign(known, call);
        known.function.arguments += called?.arguments ?? "";
      }
    }
    finish_reason = choices[0].finish_reason ?? finish_reason;
  }
  return { message, finish_reason };
}

const whole = async (api, request) => (await api.chat.completions.create(request)).choices[0];

export default [client("openai chat", streamed), client("openai chat whole", whole)];
