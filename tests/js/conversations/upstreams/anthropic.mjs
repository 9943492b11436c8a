// Fake models of Anthropic Messages, with thinking: signed blocks, and a redacted one in the first
// answer.
import { anthropicRules, blocksOf } from "../rules/anthropic.mjs";
import { refuse } from "../rules/refusal.mjs";
import { secret } from "../script.mjs";
import { sendEvents, sendJson } from "../support/http.mjs";
import { Upstream, callEntry } from "./upstream.mjs";

/**
 * A model whose thinking is on by default and adaptive: a tool loop without its thinking is
 * accepted, but the model continues without what it has thought.
 * https://platform.claude.com/docs/en/build-with-claude/thinking,
 * github.com/james-6-23/codex2api/pull/613 ("adaptive-thinking models accept a tool-use turn
 * without it").
 */
export class AnthropicUpstream extends Upstream {
  protocol = "anthropic";
  name = "anthropic-adaptive";
  model = "claude-opus-5";

  /** Whether the model thinks in a request. */
  thinks({ thinking }) {
    return thinking?.type !== "disabled";
  }

  validate(body, { headers }) {
    refuse(!headers["anthropic-version"], "anthropic-version: header is required");
    anthropicRules(body, { state: this.state });
  }

  error({ message }) {
    return { type: "error", error: { type: "invalid_request_error", message } };
  }

  begin(body) {
    this.isThinking = this.thinks(body);
    return (body.tools ?? []).some(({ input_schema: schema }) => schema);
  }

  signature({ id }) {
    return secret("anthropic", "signature", id);
  }

  states({ id }) {
    if (!this.isThinking) return [];
    return [`thinking ${id}`, ...(id === 1 ? ["redacted_thinking"] : [])];
  }

  secrets(answer) {
    if (!this.isThinking) return [];
    return [this.signature(answer), ...(answer.id === 1 ? [REDACTED] : [])];
  }

  history({ messages }) {
    return messages
      .filter(({ role }) => role !== "system")
      .flatMap(({ role, content }) =>
        blocksOf(content).flatMap((block) => this.entries(block, role)),
      );
  }

  entries(block, role) {
    switch (block.type) {
      case "text":
        return [`${role === "user" ? "user" : "text"} ${block.text}`];
      case "tool_use":
        return [callEntry(block.name, block.input)];
      case "tool_result":
        return [
          `result ${blocksOf(block.content ?? [])
            .map(({ text = "" }) => text)
            .join("")}`,
        ];
      case "thinking": {
        const answer = this.script.find((known) => this.signature(known) === block.signature);
        return answer?.reasoning === block.thinking ? [`state thinking ${answer.id}`] : [];
      }
      case "redacted_thinking":
        return ["state redacted_thinking"];
      default:
        return [];
    }
  }

  /** Blocks before the text of an answer, and the deltas of its citations. */
  search() {
    return { blocks: [], citations: [] };
  }

  callId(answer, at) {
    return `toolu_01${super.callId(answer, at).replace(/\W/g, "")}`;
  }

  /** The blocks of an answer: each a list of its start and its deltas. */
  blocks(answer) {
    const { reasoning, text, calls } = answer;
    const thinking = [
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: reasoning },
      { type: "signature_delta", signature: this.signature(answer) },
    ];
    const redacted = [{ type: "redacted_thinking", data: REDACTED }];
    const { blocks, citations } = this.search(answer);
    return [
      ...(this.isThinking ? [thinking, ...(answer.id === 1 ? [redacted] : [])] : []),
      ...blocks,
      ...(text ? [[{ type: "text", text: "" }, { type: "text_delta", text }, ...citations]] : []),
      ...calls.map(({ name, args }, at) => [
        { type: "tool_use", id: this.callId(answer, at), name, input: {} },
        { type: "input_json_delta", partial_json: JSON.stringify(args) },
      ]),
    ];
  }

  answer(response, answer, { stream }) {
    const { model } = this;
    const message = { id: `msg_${answer.id}`, type: "message", role: "assistant", model };
    const delta = {
      stop_reason: answer.calls.length > 0 ? "tool_use" : "end_turn",
      stop_sequence: null,
    };
    if (stream !== true) {
      const content = this.blocks(answer).map(whole);
      const usage = { input_tokens: 10, output_tokens: 5 };
      return sendJson(response, 200, { ...message, content, ...delta, usage });
    }
    const open = {
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 1 },
    };
    const events = [{ type: "message_start", message: { ...message, ...open } }];
    for (const [index, [content_block, ...deltas]] of this.blocks(answer).entries()) {
      events.push({ type: "content_block_start", index, content_block });
      events.push(...deltas.map((delta) => ({ type: "content_block_delta", index, delta })));
      events.push({ type: "content_block_stop", index });
    }
    sendEvents(
      response,
      [
        ...events,
        { type: "message_delta", delta, usage: { output_tokens: 5 } },
        { type: "message_stop" },
      ],
      true,
    );
  }
}

/** Returns a block of an answer that is not a stream. */
function whole([start, ...deltas]) {
  const block = { ...start };
  for (const { type, partial_json: json, citation, ...pieces } of deltas) {
    if (json !== undefined) block.input = JSON.parse(json);
    else if (citation) block.citations = [...(block.citations ?? []), citation];
    else for (const [key, piece] of Object.entries(pieces)) block[key] += piece;
  }
  return block;
}

const REDACTED = secret("anthropic", "redacted", 1);

/**
 * A model whose thinking the request enables. The developer or the client asks for it, so that the
 * server insists on the blocks of the current tool loop.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export class AnthropicEnabledUpstream extends AnthropicUpstream {
  name = "anthropic-enabled";
  model = "claude-sonnet-4-5";
  parameters = { thinking: { type: "enabled", budget_tokens: 2000 } };

  thinks({ thinking }) {
    return thinking?.type === "enabled";
  }

  /** Thinking that was asked for and does not arrive is a loss. */
  compare(body, record) {
    super.compare(body, record);
    if (!this.thinks(body)) record.settings.push("the parameter thinking");
  }
}

const QUERY = { query: "weather of Paris and Oslo" };

/**
 * The adaptive model with Anthropic's web search, which the developer adds: the third answer has a
 * search with encrypted results, and its text a citation of them.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool: "encrypted_content
 * … must be passed back in multi-turn conversations".
 */
export class AnthropicSearchUpstream extends AnthropicUpstream {
  name = "anthropic-search";
  serverTools = [{ type: "web_search_20250305", name: "web_search" }];

  results({ id }) {
    const encrypted_content = secret("anthropic", "search", id);
    return [
      {
        type: "web_search_result",
        url: "https://weather.example",
        title: "Weather",
        encrypted_content,
        page_age: null,
      },
    ];
  }

  citation({ id }) {
    const encrypted_index = secret("anthropic", "index", id);
    return {
      type: "web_search_result_location",
      url: "https://weather.example",
      title: "Weather",
      encrypted_index,
      cited_text: "18 degrees",
    };
  }

  search(answer) {
    if (answer.id !== 3) return super.search(answer);
    const id = "srvtoolu_3";
    return {
      blocks: [
        [
          { type: "server_tool_use", id, name: "web_search", input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(QUERY) },
        ],
        [{ type: "web_search_tool_result", tool_use_id: id, content: this.results(answer) }],
      ],
      citations: [{ type: "citations_delta", citation: this.citation(answer) }],
    };
  }

  hosted({ id }) {
    return id === 3 ? [`search ${JSON.stringify(QUERY)}`] : [];
  }

  states(answer) {
    return [...super.states(answer), ...(answer.id === 3 ? ["search results", "citation"] : [])];
  }

  secrets(answer) {
    const [{ encrypted_content: results }] = this.results(answer);
    return [
      ...super.secrets(answer),
      ...(answer.id === 3 ? [results, this.citation(answer).encrypted_index] : []),
    ];
  }

  entries(block, role) {
    const [{ encrypted_content: results }] = this.results({ id: 3 });
    const { encrypted_index: index } = this.citation({ id: 3 });
    switch (block.type) {
      case "server_tool_use":
        return [`search ${JSON.stringify(block.input)}`];
      case "web_search_tool_result":
        return block.content[0]?.encrypted_content === results ? ["state search results"] : [];
      case "text":
        return [
          ...(block.citations?.[0]?.encrypted_index === index ? ["state citation"] : []),
          ...super.entries(block, role),
        ];
      default:
        return super.entries(block, role);
    }
  }
}
