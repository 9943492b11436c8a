// An AG-UI answer: the thread's messages, with the state, the steps and the subagents of the run.
// Their elements are kept while they grow.

import { type Json, toolCalls } from "agentwire";
import type {
  Message as AgUiMessage,
  Snapshot as AgUiSnapshot,
  SnapshotToolCall as AgUiToolCall,
} from "agentwire/ag-ui";
import type { Reply } from "./conversation.js";
import type { AnswerOf } from "./cursor.js";
import { el, fill, renderEach, setAttribute, setText } from "./dom.js";
import { type Question, QuestionsView } from "./questions_view.js";
import { prettyJson } from "./json_view.js";
import { setMarkdown } from "./markdown.js";
import { pictureOf } from "./picture.js";
import { StateTree } from "./state_tree.js";
import { statusChip } from "./status_chip.js";
import { ToolCard } from "./tool_card.js";

/** The state of a run that is not in its stream. */
export interface ThreadFrame {
  readonly reply: Reply | undefined;
  /** Answers a question; undefined if this page cannot answer, or not any more. */
  readonly resume: ((question: Question, approved: boolean) => void) | undefined;
}

/** Returns the questions with which a run has ended. */
export function questionsOf({ pendingInterrupts }: AgUiSnapshot): Question[] {
  const list = Array.isArray(pendingInterrupts)
    ? (pendingInterrupts as readonly { readonly [key: string]: Json }[])
    : [];
  return list.map(({ id, reason, message, metadata }) => ({
    id: String(id),
    reason: typeof reason === "string" ? reason : null,
    payload: message ?? metadata ?? null,
  }));
}

export class ThreadView {
  readonly element = el("div", { class: "thread" });
  readonly #run = el("ol", { class: "run", "aria-label": "steps and subagents" });
  readonly #messages = el("div", { class: "messages" });
  readonly #questions = new QuestionsView();
  readonly #state = el("details", { class: "state" }, el("summary", {}, "State"));
  readonly #tree = new StateTree("state");
  readonly #views = new Map<string, ThreadMessage>();

  constructor() {
    this.#state.append(this.#tree.element);
    fill(this.element, this.#run, this.#messages, this.#questions.element, this.#state);
  }

  /** Shows the thread in its present state. */
  render(
    { snapshot: response }: Pick<AnswerOf<"ag-ui">, "snapshot">,
    { reply, resume }: ThreadFrame,
  ): void {
    const { state } = response;
    this.#state.hidden =
      typeof state === "object" && state !== null && Object.keys(state).length === 0;
    this.#tree.render(state);
    this.#renderRun(response);
    this.#renderMessages(response, reply);
    this.#questions.render(questionsOf(response), reply, resume);
  }

  #renderRun({ steps, subagents }: AgUiSnapshot): void {
    this.#run.hidden = steps.length + subagents.length === 0;
    const item = (
      kind: string,
      name: string,
      status: string,
      about: string | undefined,
    ): HTMLElement =>
      el(
        "li",
        { "data-kind": kind, "data-status": status },
        el("span", { class: "kind" }, kind),
        " ",
        el("b", {}, name),
        " ",
        statusChip(status),
        about && el("span", { class: "about" }, about),
      );
    fill(
      this.#run,
      ...steps.map(({ stepName, status }) => item("step", stepName, status, undefined)),
      ...subagents.map(({ name, status, description }) =>
        item("subagent", name, status, description),
      ),
    );
  }

  #renderMessages(snapshot: AgUiSnapshot, reply: Reply | undefined): void {
    const results = new Map(
      snapshot.messages
        .filter(({ role }) => role === "tool")
        .map((message) => [message.toolCallId, message]),
    );
    const shown = snapshot.messages.filter(({ role }) => role !== "tool");
    const streaming = new Set(
      toolCalls(snapshot)
        .filter(({ state }) => state === "streaming")
        .map(({ id }) => id),
    );
    const calls = { results, streaming, pending: snapshot.pendingToolCallIds, reply };
    const viewOf = (): ThreadMessage => new ThreadMessage();
    renderEach(
      this.#messages,
      this.#views,
      shown,
      ({ id }) => id,
      viewOf,
      (view, message) => view.render(message, calls),
    );
  }
}

interface Calls {
  /** The results of calls, by the id of the call. */
  readonly results: ReadonlyMap<string | undefined, AgUiMessage>;
  readonly streaming: ReadonlySet<string | null>;
  readonly pending: readonly string[];
  readonly reply: Reply | undefined;
}

/** One message: a text, calls, or an activity. */
class ThreadMessage {
  readonly element = el("article", { class: "message" });
  readonly #type = el("span", { class: "type" });
  readonly #parts = el("div", { class: "parts" });
  readonly #text = el("div", { class: "part", "data-type": "text", dir: "auto" });
  readonly #content = el("div", { class: "part" });
  readonly #calls = el("div", { class: "parts" });
  readonly #cards = new Map<string, ToolCard>();
  #drawnContent: unknown;

  constructor() {
    fill(this.#parts, this.#text, this.#content);
    fill(this.element, el("header", {}, this.#type), this.#parts, this.#calls);
  }

  render(message: AgUiMessage, calls: Calls): void {
    const { role, content, activityType, toolCalls: called = [], subagentRunId } = message;
    setAttribute(
      this.element,
      "data-type",
      role === "assistant" || role === "user" ? "message" : role,
    );
    setAttribute(this.element, "data-role", role);
    setText(this.#type, [activityType ?? role, subagentRunId].filter(Boolean).join(" · "));
    this.#text.hidden = typeof content !== "string";
    (role === "user" ? setText : setMarkdown)(
      this.#text,
      typeof content === "string" ? content : "",
    );
    this.#content.hidden = typeof content !== "object" || content === null;
    if (this.#drawnContent !== content && !this.#content.hidden) {
      this.#drawnContent = content;
      fill(this.#content, activityNode(content as Json));
      // JSON would fill the pane, so it is folded; a picture is part of the answer.
      if (
        this.#content.firstElementChild?.tagName === "PRE" &&
        this.#parts.parentElement === this.element
      ) {
        fill(
          this.element,
          el("details", {}, el("summary", {}, this.#type), this.#parts),
          this.#calls,
        );
      }
    }
    fill(this.#calls, ...called.map((call) => this.#card(call, calls).element));
  }

  #card(call: AgUiToolCall, { results, streaming, pending, reply }: Calls): ToolCard {
    const card = this.#cards.get(call.id) ?? new ToolCard();
    this.#cards.set(call.id, card);
    const { name, arguments: raw } = call.function;
    const answer = reply?.toolAnswers[call.id];
    const result = results.get(call.id)?.content ?? answer;
    const state = streaming.has(call.id)
      ? "streaming"
      : result === undefined
        ? "called"
        : "answered";
    const stateText =
      result === undefined && pending.includes(call.id)
        ? "waits for the client"
        : answer === undefined
          ? state
          : "answered by this page";
    const output =
      result === undefined
        ? undefined
        : textOrJson(typeof result === "string" ? result : JSON.stringify(result));
    card.render({ name, about: call.id, state, stateText, args: textOrJson(raw), output });
    return card;
  }
}

/** Shows pictures, which are activities of type image; formats other content as JSON. */
function activityNode(content: Json): Node {
  const address =
    typeof content === "object" && content !== null && "image_url" in content
      ? content.image_url
      : undefined;
  return typeof address === "string"
    ? pictureOf(address)
    : el("pre", { class: "json" }, prettyJson(content));
}

function textOrJson(raw: string): { readonly raw: string; readonly value: Json | undefined } {
  try {
    return { raw, value: JSON.parse(raw) as Json };
  } catch {
    return { raw, value: undefined };
  }
}
