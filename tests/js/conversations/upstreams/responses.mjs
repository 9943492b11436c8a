// A fake reasoning model of OpenAI Responses: encrypted reasoning for clients that store nothing,
// items by id for the others.
import { refuse } from "../rules/refusal.mjs";
import { inputOf, responsesRules } from "../rules/responses.mjs";
import { secret } from "../script.mjs";
import { sendEvents } from "../support/http.mjs";
import { Upstream, callEntry } from "./upstream.mjs";

export class ResponsesUpstream extends Upstream {
  protocol = "responses";
  name = "responses";
  model = "gpt-5.3";
  base = "/v1";

  reset() {
    super.reset();
    /** The items of conversations by the ids of the responses that are stored. */
    this.stored = new Map();
  }

  validate(body) {
    responsesRules(body, { state: this.state, stored: this.stored });
    for (const item of this.#items(body)) this.#hasReasoning(item, this.#items(body));
  }

  /**
   * A call that follows reasoning in its answer has to follow it in the input:
   * github.com/cline/cline/issues/12242.
   */
  #hasReasoning({ type, id }, input) {
    if (!["function_call", "custom_tool_call"].includes(type)) return;
    const answer = (this.script ?? []).find((known) =>
      known.calls.some((_, at) => this.itemId(known, at) === id),
    );
    if (answer === undefined) return;
    const is = (item) =>
      item.type === "reasoning" &&
      this.issues(answer).some((value) => [item.id, item.encrypted_content].includes(value));
    const missing = `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: 'rs_${answer.id}'.`;
    refuse(!input.some(is), missing, { param: "input" });
  }

  #items(body) {
    return [...(this.stored.get(body.previous_response_id) ?? []), ...inputOf(body)];
  }

  error({ message, code, param }) {
    return { error: { message, type: "invalid_request_error", param, code } };
  }

  begin({ include = [], store, tools = [] }) {
    this.wantsEncrypted = include.includes("reasoning.encrypted_content");
    this.isStored = store !== false;
    return tools.length > 0;
  }

  itemId(answer, at) {
    const { item, input } = answer.calls[at];
    const prefix = item ? "tsc_" : input === undefined ? "fc_" : "ctc_";
    return this.callId(answer, at).replace("call_", prefix);
  }

  encrypted({ id }) {
    return secret("openai", "reasoning", id);
  }

  states({ id, text }) {
    return [`reasoning ${id}`, ...(text ? [`phase ${id}`] : [])];
  }

  secrets(answer) {
    return [this.wantsEncrypted ? this.encrypted(answer) : `rs_${answer.id}`];
  }

  issues(answer) {
    return [this.encrypted(answer), ...(this.isStored ? [`rs_${answer.id}`] : [])];
  }

  history(body) {
    return this.#items(body).flatMap((item) => this.#entries(item));
  }

  #entries({ type = "message", role, content, phase, ...item }) {
    switch (type) {
      case "message": {
        if (!["user", "assistant"].includes(role)) return [];
        const text = textOf(content);
        const answer = this.script.find((known) => known.text === text);
        return [
          ...(phase && answer ? [`state phase ${answer.id}`] : []),
          `${role === "user" ? "user" : "text"} ${text}`,
        ];
      }
      case "reasoning": {
        const is = (known) =>
          item.encrypted_content === this.encrypted(known) ||
          (this.isStored && item.id === `rs_${known.id}`);
        return this.script.filter(is).map(({ id }) => `state reasoning ${id}`);
      }
      case "function_call":
        return [callEntry(item.name, JSON.parse(item.arguments))];
      case "custom_tool_call":
        return [callEntry(item.name, item.input)];
      case "tool_search_call":
        return [callEntry("tool_search", item.arguments)];
      case "tool_search_output":
        return [`result ${JSON.stringify(item.tools)}`];
      case "function_call_output":
      case "custom_tool_call_output":
        return [`result ${textOf(item.output)}`];
      default:
        return [];
    }
  }

  #output(answer) {
    const { id, reasoning, text, calls } = answer;
    const encrypted = this.wantsEncrypted ? { encrypted_content: this.encrypted(answer) } : {};
    const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
    const phase = calls.length > 0 ? "commentary" : "final_answer";
    return [
      {
        id: `rs_${id}`,
        type: "reasoning",
        summary: [{ type: "summary_text", text: reasoning }],
        ...encrypted,
      },
      ...(text
        ? [
            {
              id: `msg_${id}`,
              type: "message",
              status: "completed",
              role: "assistant",
              phase,
              content,
            },
          ]
        : []),
      ...calls.map(({ name, namespace, item, args, input }, at) => ({
        id: this.itemId(answer, at),
        type: item ?? (input === undefined ? "function_call" : "custom_tool_call"),
        status: "completed",
        call_id: this.callId(answer, at),
        ...(item
          ? { execution: "client", arguments: args }
          : {
              name,
              ...(namespace ? { namespace } : {}),
              ...(input === undefined ? { arguments: JSON.stringify(args) } : { input }),
            }),
      })),
    ];
  }

  answer(response, answer, body) {
    const [output, id, { store = true }] = [this.#output(answer), `resp_${answer.id}`, body];
    if (store) this.stored.set(id, [...this.#items(body), ...output]);
    const settings = {
      parallel_tool_calls: true,
      temperature: 1,
      tool_choice: "auto",
      tools: [],
      top_p: 1,
      store,
    };
    const base = {
      id,
      object: "response",
      created_at: 1790000000,
      model: this.model,
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      ...settings,
    };
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 15,
    };
    const events = [
      { type: "response.created", response: { ...base, status: "in_progress", output: [] } },
      ...output.flatMap((item, output_index) => eventsOf(item, output_index)),
      { type: "response.completed", response: { ...base, status: "completed", output, usage } },
    ];
    sendEvents(
      response,
      events.map((event, sequence_number) => ({ ...event, sequence_number })),
      true,
    );
  }
}

const textOf = (content) =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");

/** The events of an item, in the words of its type. */
function eventsOf(item, output_index) {
  const event = (type, more) => ({
    type: `response.${type}`,
    item_id: item.id,
    output_index,
    ...more,
  });
  const added = (open) => ({
    type: "response.output_item.added",
    output_index,
    item: { ...item, ...open },
  });
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "reasoning") {
    const [{ text }] = item.summary;
    const part = (text) => ({ summary_index: 0, part: { type: "summary_text", text } });
    return [
      added({ summary: [] }),
      event("reasoning_summary_part.added", part("")),
      event("reasoning_summary_text.delta", { summary_index: 0, delta: text }),
      event("reasoning_summary_text.done", { summary_index: 0, text }),
      event("reasoning_summary_part.done", part(text)),
      done,
    ];
  }
  if (item.type === "message") {
    const [part] = item.content;
    return [
      added({ status: "in_progress", content: [] }),
      event("content_part.added", { content_index: 0, part: { ...part, text: "" } }),
      event("output_text.delta", { content_index: 0, delta: part.text, logprobs: [] }),
      event("output_text.done", { content_index: 0, text: part.text, logprobs: [] }),
      event("content_part.done", { content_index: 0, part }),
      done,
    ];
  }
  if (item.type === "tool_search_call") return [added({ status: "in_progress" }), done];
  if (item.type === "custom_tool_call") {
    const { input } = item;
    return [
      added({ status: "in_progress", input: "" }),
      event("custom_tool_call_input.delta", { delta: input }),
      event("custom_tool_call_input.done", { input }),
      done,
    ];
  }
  const { name, arguments: json } = item;
  return [
    added({ status: "in_progress", arguments: "" }),
    event("function_call_arguments.delta", { delta: json }),
    event("function_call_arguments.done", { arguments: json, name }),
    done,
  ];
}
