// Streams of OpenAI Responses as the service sends them, with `event:` lines, numbers and
// obfuscation.
import { framesOf, pieces } from "./made.mjs";

const ID = "resp_bench";

/**
 * `text`: one message of 20,000 deltas; `mixed`: 40 rounds of reasoning, a call and text, as in the
 * corpus of that name.
 */
export function responsesStream(name) {
  return name === "text" ? textResponse(20_000) : mixedResponse(40);
}

/** Returns a response whose text has `deltas` pieces. */
function textResponse(deltas) {
  const stream = new Made();
  stream.message(deltas);
  return stream.end();
}

/**
 * Returns a response of `rounds` rounds: reasoning with a summary, a call of a function, and text.
 */
function mixedResponse(rounds) {
  const stream = new Made();
  for (let round = 0; round < rounds; round++) {
    stream.reasoning(120);
    stream.call(20);
    stream.message(240);
  }
  return stream.end();
}

class Made {
  #events = [];
  #output = [];

  constructor() {
    for (const type of ["response.created", "response.in_progress"]) {
      this.#say(type, { response: responseOf("in_progress", []) });
    }
  }

  message(deltas) {
    const item = { id: `msg_${this.#output.length}`, type: "message", role: "assistant" };
    const at = this.#open({ ...item, status: "in_progress", content: [] });
    const place = { item_id: item.id, output_index: at, content_index: 0 };
    const part = (text) => ({ type: "output_text", annotations: [], logprobs: [], text });
    this.#say("response.content_part.added", { ...place, part: part("") });
    const text = this.#deltas(
      "response.output_text.delta",
      { ...place, logprobs: [] },
      pieces(deltas),
    );
    this.#say("response.output_text.done", { ...place, text, logprobs: [] });
    this.#say("response.content_part.done", { ...place, part: part(text) });
    this.#close(at, { ...item, status: "completed", content: [part(text)] });
  }

  reasoning(deltas) {
    const item = { id: `rs_${this.#output.length}`, type: "reasoning" };
    const at = this.#open({ ...item, summary: [] });
    const place = { item_id: item.id, output_index: at, summary_index: 0 };
    const part = (text) => ({ type: "summary_text", text });
    this.#say("response.reasoning_summary_part.added", { ...place, part: part("") });
    const text = this.#deltas("response.reasoning_summary_text.delta", place, pieces(deltas));
    this.#say("response.reasoning_summary_text.done", { ...place, text });
    this.#say("response.reasoning_summary_part.done", { ...place, part: part(text) });
    this.#close(at, { ...item, summary: [part(text)] });
  }

  call(deltas) {
    const at = this.#output.length;
    const item = { id: `fc_${at}`, type: "function_call", call_id: `call_${at}`, name: "look_up" };
    this.#open({ ...item, status: "in_progress", arguments: "" });
    const place = { item_id: item.id, output_index: at };
    const given = JSON.stringify({ query: pieces(deltas).join(""), limit: at });
    const cut = Array.from({ length: Math.ceil(given.length / 6) }, (_, piece) =>
      given.slice(piece * 6, piece * 6 + 6),
    );
    const all = this.#deltas("response.function_call_arguments.delta", place, cut);
    this.#say("response.function_call_arguments.done", {
      ...place,
      name: item.name,
      arguments: all,
    });
    this.#close(at, { ...item, status: "completed", arguments: all });
  }

  end() {
    const usage = {
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 4_000,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 4_012,
    };
    this.#say("response.completed", {
      response: { ...responseOf("completed", this.#output), usage },
    });
    return framesOf(this.#events, ({ type }) => type);
  }

  #deltas(type, place, texts) {
    for (const [at, delta] of texts.entries()) {
      this.#say(type, { ...place, delta, obfuscation: "kX3q9ZbT0aVfYw1L".slice(at % 13) });
    }
    return texts.join("");
  }

  #open(item) {
    this.#say("response.output_item.added", { output_index: this.#output.length, item });
    return this.#output.push(item) - 1;
  }

  #close(at, item) {
    this.#output[at] = item;
    this.#say("response.output_item.done", { output_index: at, item });
  }

  #say(type, members) {
    this.#events.push({ type, sequence_number: this.#events.length, ...members });
  }
}

function responseOf(status, output) {
  return {
    id: ID,
    object: "response",
    created_at: 1_767_225_600,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: "bench-model-1",
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: "medium", summary: "auto" },
    service_tier: "default",
    store: true,
    temperature: 1,
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: null,
    metadata: {},
  };
}
