// The answer as it grows: as a chat, or as the snapshot's JSON with what the last event changed marked.

import type { AgentResponse, RunStatus } from "agentwire";
import { byId, el, fill, setAttribute } from "./dom.js";
import { prettyJson } from "./json_view.js";
import { MessageView } from "./message_view.js";
import type { Playback } from "./playback.js";
import { statusChip } from "./status_chip.js";
import { ToolCards } from "./tool_cards.js";

export class AnswerPane {
  readonly #playback: Playback;
  readonly #chat = byId("chat");
  readonly #json = byId("json");
  readonly #status = byId("answer-status");
  readonly #asChat = byId("as-chat");
  readonly #asJson = byId("as-json");
  readonly #start: Node;
  readonly #question = el("p", { class: "question", dir: "auto" });
  readonly #messages = el("div", { class: "messages" });
  readonly #ending = el("div", { class: "ending" });
  readonly #views = new Map<string, MessageView>();
  #shown: object | null = null;
  /** The reader is at the end and wants to stay there. */
  #atEnd = true;

  /** `start` is what is there before the first stream. */
  constructor(playback: Playback, start: Node) {
    this.#playback = playback;
    this.#start = start;
    this.#asChat.addEventListener("click", () => this.#choose(false));
    this.#asJson.addEventListener("click", () => this.#choose(true));
    this.#chat.addEventListener("scroll", () => {
      this.#atEnd = this.#chat.scrollHeight - this.#chat.scrollTop - this.#chat.clientHeight < 40;
    });
    // Pictures have no height before they are loaded.
    new ResizeObserver(() => this.#stay()).observe(this.#messages);
  }

  /** Shows the playback as it is now. */
  render(): void {
    const { recording, moment } = this.#playback;
    if (recording === null || moment === null) {
      fill(this.#chat, this.#start);
      return;
    }
    if (this.#shown !== recording) {
      this.#shown = recording;
      this.#atEnd = true;
      this.#views.clear();
      this.#messages.replaceChildren();
      fill(this.#question, recording.origin.question);
      this.#question.hidden = recording.origin.question === undefined;
      fill(this.#chat, this.#question, this.#messages, this.#ending);
    }
    fill(this.#status, statusChip(moment.response.status));
    if (this.#json.hidden) {
      this.#renderChat(moment.response, new ToolCards(moment.response, moment.toolCalls));
    } else {
      fill(this.#json, prettyJson(moment.response, moment.before ?? undefined));
      this.#json.querySelector("mark")?.scrollIntoView({ block: "nearest" });
    }
  }

  #renderChat(response: AgentResponse, tools: ToolCards): void {
    const over = !UNDER_WAY.includes(response.status);
    const present = new Set<string>();
    let next = this.#messages.firstElementChild;
    for (const message of response.output) {
      present.add(message.id);
      let view = this.#views.get(message.id);
      if (view === undefined) {
        view = new MessageView();
        this.#views.set(message.id, view);
      }
      view.render(message, tools, over);
      // Only what stands elsewhere is moved: moving closes selections and stops animations.
      if (view.element !== next) {
        this.#messages.insertBefore(view.element, next);
      } else {
        next = next.nextElementSibling;
      }
    }
    for (const [id, view] of this.#views) {
      if (!present.has(id)) {
        view.element.remove();
        this.#views.delete(id);
      }
    }
    fill(this.#ending, ...endingOf(response, this.#playback));
    this.#stay();
  }

  #stay(): void {
    if (this.#atEnd) {
      this.#chat.scrollTop = this.#chat.scrollHeight;
    }
  }

  #choose(json: boolean): void {
    this.#chat.hidden = json;
    this.#json.hidden = !json;
    setAttribute(this.#asChat, "aria-pressed", !json);
    setAttribute(this.#asJson, "aria-pressed", json);
    this.render();
  }
}

const UNDER_WAY: readonly RunStatus[] = ["queued", "created", "in_progress"];

/** What there is to say below the messages: the failure, the usage. */
function endingOf(response: AgentResponse, { recording, position, length }: Playback): HTMLElement[] {
  const lines: HTMLElement[] = [];
  if (response.error !== null) {
    const { code, message } = response.error;
    lines.push(el("p", { class: "failure", role: "note" }, el("b", {}, code), " ", message));
  }
  if (recording?.trouble && position === length) {
    lines.push(el("p", { class: "failure", role: "note" }, recording.trouble));
  }
  if (typeof response.usage === "object" && response.usage !== null) {
    const parts = Object.entries(response.usage).filter(([, value]) => typeof value === "number");
    const text = parts.map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(" · ");
    lines.push(el("p", { class: "usage" }, text));
  }
  return lines;
}
