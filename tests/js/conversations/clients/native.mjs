// Clients of the APIs of models, without agentwire. Each has the functions `ask`, `step`, which
// resolves to the calls of the next answer, and
// `results`. With `drops`, it sends no state of the model back.
import { QUESTIONS, resultOf, toolList } from "../script.mjs";
import { MAX_ROUNDS } from "./client.mjs";

/** Has the conversation. */
export async function converseNatively(client, drops = false) {
  for (const question of QUESTIONS) {
    client.ask(question);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const calls = await client.step(drops);
      if (calls.length === 0) break;
      client.results(calls.map((call) => ({ ...call, result: resultOf(call.name, call.args) })));
    }
  }
}

/** Requests without messages, by their protocols. */
export const SETTINGS = {
  chat: ({ model }) => ({
    model,
    tools: toolList().map((tool) => ({ type: "function", function: tool })),
  }),
  anthropic: ({ model, parameters, serverTools }) => {
    const tools = toolList().map(({ name, description, parameters: input_schema }) => ({
      name,
      description,
      input_schema,
    }));
    return { model, max_tokens: 4096, tools: [...tools, ...serverTools], ...parameters };
  },
  gemini: () => {
    const functionDeclarations = toolList().map(
      ({ name, description, parameters: parametersJsonSchema }) => ({
        name,
        description,
        parametersJsonSchema,
      }),
    );
    return { tools: [{ functionDeclarations }] };
  },
  interactions: ({ model }) => {
    const tools = toolList().map((tool) => ({ type: "function", ...tool }));
    return { model, tools, store: false };
  },
  responses: ({ model }) => {
    const tools = toolList().map((tool) => ({ type: "function", strict: true, ...tool }));
    return { model, tools, store: false, include: ["reasoning.encrypted_content"] };
  },
};

/** The URL of a stream, by its protocol. */
export const ADDRESS = {
  chat: ({ url }) => `${url}/chat/completions`,
  anthropic: ({ url }) => `${url}/v1/messages`,
  gemini: ({ url, model }) => `${url}/models/${model}:streamGenerateContent?alt=sse`,
  interactions: ({ url }) => `${url}/interactions`,
  responses: ({ url }) => `${url}/responses`,
};

/** Sends a request and resolves to the events of its answer. */
async function post(upstream, body) {
  const { protocol } = upstream;
  const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01" };
  const stream = protocol === "gemini" ? {} : { stream: true };
  const request = { ...SETTINGS[protocol](upstream), ...stream, ...body };
  const response = await fetch(ADDRESS[protocol](upstream), {
    method: "POST",
    headers,
    body: JSON.stringify(request),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const data = text
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]");
  return data.map((line) => JSON.parse(line.slice(6)));
}

export const NATIVE = {
  chat(upstream) {
    const messages = [];
    return {
      ask: (content) => messages.push({ role: "user", content }),
      async step(drops) {
        const message = { role: "assistant", content: null };
        for (const { choices } of await post(upstream, { messages })) {
          const {
            content,
            reasoning_content: reasoning,
            reasoning_details: details,
            tool_calls: calls,
            extra_content: extra,
          } = choices[0]?.delta ?? {};
          if (content) message.content = (message.content ?? "") + content;
          if (calls) {
            const kept = calls.map(({ index, ...call }) =>
              drops ? { ...call, extra_content: undefined } : call,
            );
            message.tool_calls = [...(message.tool_calls ?? []), ...kept];
          }
          if (drops) continue;
          if (reasoning) message.reasoning_content = (message.reasoning_content ?? "") + reasoning;
          if (details)
            message.reasoning_details = [...(message.reasoning_details ?? []), ...details];
          if (extra) message.extra_content = extra;
        }
        messages.push(message);
        return (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
          id,
          name,
          args: JSON.parse(json),
        }));
      },
      results: (list) =>
        messages.push(
          ...list.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result })),
        ),
    };
  },

  anthropic(upstream) {
    const messages = [];
    return {
      ask: (content) => messages.push({ role: "user", content }),
      async step(drops) {
        const blocks = [];
        for (const { type, index, content_block: block, delta } of await post(upstream, {
          messages,
        })) {
          if (type === "content_block_start") blocks[index] = { ...block };
          if (type !== "content_block_delta") continue;
          const open = blocks[index];
          if (delta.text) open.text += delta.text;
          if (delta.thinking) open.thinking += delta.thinking;
          if (delta.signature) open.signature = delta.signature;
          if (delta.citation) open.citations = [...(open.citations ?? []), delta.citation];
          if (delta.partial_json) open.input = JSON.parse(delta.partial_json);
        }
        messages.push({
          role: "assistant",
          content: blocks.filter(({ type }) => !drops || !type.includes("thinking")),
        });
        return blocks
          .filter(({ type }) => type === "tool_use")
          .map(({ id, name, input: args }) => ({ id, name, args }));
      },
      results(list) {
        const content = list.map(({ id, result }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: result,
        }));
        messages.push({ role: "user", content });
      },
    };
  },

  gemini(upstream) {
    const contents = [];
    return {
      ask: (text) => contents.push({ role: "user", parts: [{ text }] }),
      async step(drops) {
        const chunks = await post(upstream, { contents });
        const parts = chunks
          .flatMap(({ candidates }) => candidates[0].content.parts)
          .filter(({ text }) => text !== "");
        contents.push({
          role: "model",
          parts: drops ? parts.map(({ thoughtSignature, ...part }) => part) : parts,
        });
        return parts.flatMap(({ functionCall: call }) => (call ? [call] : []));
      },
      results(list) {
        const parts = list.map(({ name, result }) => ({
          functionResponse: { name, response: { output: result } },
        }));
        contents.push({ role: "user", parts });
      },
    };
  },

  interactions(upstream) {
    const input = [];
    return {
      ask: (text) => input.push({ type: "user_input", content: [{ type: "text", text }] }),
      async step(drops) {
        const steps = [];
        for (const { event_type: type, index, step, delta } of await post(upstream, { input })) {
          if (type === "step.start") steps[index] = { ...step };
          if (type !== "step.delta") continue;
          const open = steps[index];
          if (delta.type === "text") open.content = [delta];
          if (delta.type === "thought_summary") open.summary = [delta.content];
          if (delta.type === "thought_signature") open.signature = delta.signature;
          if (delta.type === "arguments_delta") open.arguments = JSON.parse(delta.arguments);
        }
        input.push(...steps.filter(({ type }) => !drops || type !== "thought"));
        return steps
          .filter(({ type }) => type === "function_call")
          .map(({ id, name, arguments: args }) => ({ id, name, args }));
      },
      results: (list) =>
        input.push(
          ...list.map(({ id, name, result }) => ({
            type: "function_result",
            call_id: id,
            name,
            result,
          })),
        ),
    };
  },

  responses(upstream) {
    const input = [];
    return {
      ask: (content) => input.push({ role: "user", content }),
      async step(drops) {
        const { response } = (await post(upstream, { input })).at(-1);
        input.push(...response.output.filter(({ type }) => !drops || type !== "reasoning"));
        const calls = response.output.filter(({ type }) => type === "function_call");
        return calls.map(({ call_id: id, name, arguments: json }) => ({
          id,
          name,
          args: JSON.parse(json),
        }));
      },
      results: (list) =>
        input.push(
          ...list.map(({ id, result }) => ({
            type: "function_call_output",
            call_id: id,
            output: result,
          })),
        ),
    };
  },
};
