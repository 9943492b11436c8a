// Fake models of Chat Completions: OpenAI's own server, and three compatible ones that need
// something back.
import { chatRules } from "../rules/chat.mjs";
import { DEEPSEEK, GEMINI_COMPATIBLE, OPENAI, OPENROUTER } from "../rules/chat_dialects.mjs";
import { secret } from "../script.mjs";
import { sendEvents, sendJson } from "../support/http.mjs";
import { Upstream, callEntry } from "./upstream.mjs";

/** Returns the message that deltas are the pieces of. */
function whole(deltas) {
  const message = { role: "assistant", content: null };
  for (const [key, value] of deltas.flatMap((delta) => Object.entries(delta))) {
    if (key === "role" || value === "") continue;
    const items = key === "tool_calls" ? value.map(({ index: _, ...call }) => call) : value;
    const known = message[key];
    if (known == null) {
      message[key] = items;
    } else if (Array.isArray(known)) {
      known.push(...items);
    } else {
      message[key] = known + items;
    }
  }
  return message;
}

export class ChatUpstream extends Upstream {
  protocol = "chat";
  name = "chat-openai";
  model = "gpt-5-mini";
  base = "/v1";
  dialect = OPENAI;

  validate(body) {
    chatRules(body, { state: this.state, dialect: this.dialect });
  }

  error({ message, code, param }) {
    return { error: { message, type: "invalid_request_error", param, code } };
  }

  begin({ tools = [] }) {
    return tools.length > 0;
  }

  history({ messages }) {
    return messages.flatMap((message) => {
      const { role, content, tool_calls: calls = [] } = message;
      const text = Array.isArray(content)
        ? content.map(({ text = "" }) => text).join("")
        : (content ?? "");
      if (role === "user") return [`user ${text}`];
      if (role === "tool") return [`result ${text}`];
      if (role !== "assistant") return [];
      const called = calls.map(({ function: described, custom }) =>
        custom
          ? callEntry(custom.name, custom.input)
          : callEntry(described.name, JSON.parse(described.arguments || "{}")),
      );
      return [
        ...this.statesIn(message).map((state) => `state ${state}`),
        ...(text ? [`text ${text}`] : []),
        ...called,
      ];
    });
  }

  /** The states in a message of the assistant. */
  statesIn() {
    return [];
  }

  answer(response, answer, { stream }) {
    const { model } = this;
    const base = {
      id: `chatcmpl-${answer.id}`,
      object: "chat.completion.chunk",
      created: 1790000000,
      model,
    };
    const chunk = (delta, finish_reason = null) => ({
      ...base,
      choices: [{ index: 0, delta, finish_reason }],
    });
    const calls = answer.calls.map(({ name, args, input }, index) => ({
      index,
      id: this.callId(answer, index),
      ...(input === undefined
        ? { type: "function", function: { name, arguments: JSON.stringify(args) } }
        : { type: "custom", custom: { name, input } }),
      ...this.callExtra(answer, index),
    }));
    const deltas = [
      { role: "assistant", content: "" },
      ...this.reasoning(answer),
      ...(answer.text ? [{ content: answer.text, ...this.textExtra(answer) }] : []),
      ...calls.map((call) => ({ tool_calls: [call] })),
    ];
    const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const finish = calls.length > 0 ? "tool_calls" : "stop";
    if (stream !== true) {
      const choice = { index: 0, message: whole(deltas), logprobs: null, finish_reason: finish };
      const object = "chat.completion";
      return sendJson(response, 200, { ...base, object, choices: [choice], usage: counts });
    }
    const usage = { ...base, choices: [], usage: counts };
    const end = chunk({}, finish);
    sendEvents(response, [...deltas.map((delta) => chunk(delta)), end, usage, "[DONE]"]);
  }

  /** The deltas before the text. */
  reasoning() {
    return [];
  }

  /** Members of a call. */
  callExtra() {
    return {};
  }

  /** Members of the delta of the text. */
  textExtra() {
    return {};
  }
}

/** DeepSeek in its thinking mode. */
export class DeepSeekUpstream extends ChatUpstream {
  name = "chat-deepseek";
  model = "deepseek-reasoner";
  base = "";
  dialect = DEEPSEEK;

  reasoning({ reasoning }) {
    return [{ reasoning_content: reasoning }];
  }

  states({ calls, reasoning }) {
    return calls.length > 0 ? [`reasoning_content "${reasoning}"`] : [];
  }

  secrets({ calls, reasoning }) {
    return calls.length > 0 ? [reasoning] : [];
  }

  statesIn({ reasoning_content: reasoning, tool_calls: calls = [] }) {
    return reasoning && calls.length > 0 ? [`reasoning_content "${reasoning}"`] : [];
  }
}

/**
 * Gemini 3 behind Google's endpoint for clients of OpenAI. The first call of an answer has its
 * signature; that of an answer without calls is a member of the message.
 */
export class GeminiCompatibleUpstream extends ChatUpstream {
  name = "chat-gemini-compat";
  model = "gemini-3-flash-preview";
  base = "/v1beta/openai";
  dialect = GEMINI_COMPATIBLE;

  error({ message, status }) {
    return [{ error: { code: status, message, status: "INVALID_ARGUMENT" } }];
  }

  extra({ id }) {
    return {
      extra_content: { google: { thought_signature: secret("google-openai", "thought", id) } },
    };
  }

  callExtra(answer, at) {
    return at === 0 ? this.extra(answer) : {};
  }

  textExtra(answer) {
    return answer.calls.length === 0 ? this.extra(answer) : {};
  }

  states({ id }) {
    return [`extra_content ${id}`];
  }

  secrets(answer) {
    return [this.extra(answer).extra_content.google.thought_signature];
  }

  statesIn({ extra_content: extra, tool_calls: calls = [] }) {
    const given = [extra, ...calls.map((call) => call.extra_content)].map(
      (content) => content?.google?.thought_signature,
    );
    return this.script
      .filter((answer) => given.includes(this.secrets(answer)[0]))
      .map(({ id }) => `extra_content ${id}`);
  }
}

/** Gemini 3 behind OpenRouter. */
export class OpenRouterUpstream extends ChatUpstream {
  name = "chat-openrouter";
  model = "google/gemini-3-flash-preview";
  base = "/api/v1";
  dialect = OPENROUTER;

  error({ message }) {
    const guide =
      "https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks";
    const raw = `Gemini models require OpenRouter reasoning details to be preserved in each request. Please refer to our docs: ${guide}. Upstream error: ${message}`;
    return {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: { raw, provider_name: "Google AI Studio" },
      },
    };
  }

  details(answer) {
    const shared = { format: "google-gemini-v1", index: 0 };
    const id = answer.calls.length > 0 ? { id: this.callId(answer, 0) } : {};
    return [
      { type: "reasoning.text", text: answer.reasoning, ...shared },
      {
        type: "reasoning.encrypted",
        data: secret("openrouter", "encrypted", answer.id),
        ...id,
        ...shared,
      },
    ];
  }

  reasoning(answer) {
    const [text, encrypted] = this.details(answer);
    return [
      { reasoning: answer.reasoning, reasoning_details: [text] },
      { reasoning_details: [encrypted] },
    ];
  }

  states({ id }) {
    return [`reasoning_details ${id}`];
  }

  secrets(answer) {
    return [this.details(answer)[1].data];
  }

  statesIn({ reasoning_details: given = [] }) {
    const same = (answer) => sorted(this.details(answer)) === sorted(given);
    return this.script.filter(same).map(({ id }) => `reasoning_details ${id}`);
  }
}

const sorted = (list) => JSON.stringify(list.map((object) => Object.entries(object).sort()));
