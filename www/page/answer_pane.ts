// The answer as it grows: as a chat, as the snapshot's JSON with the last changes marked, as a
// stream of another protocol, or next to another run.

import { CompareView } from "./compare_view.js";
import { ConvertView } from "./convert_view.js";
import type { Answer } from "./cursor.js";
import { byId, el, fill, setAttribute } from "./dom.js";
import { prettyJson } from "./json_view.js";
import type { Playback } from "./playback.js";
import type { Recording } from "./recording.js";
import { StreamSection, answerChip } from "./stream_section.js";

export class AnswerPane {
  readonly #playback: Playback;
  readonly #pane = byId("answer");
  readonly #chat = byId("chat");
  readonly #json = byId("json");
  readonly #status = byId("answer-status");
  readonly #compare: CompareView;
  readonly #convert: ConvertView;
  readonly #start: Node;
  readonly #turns = el("div", { class: "turns" });
  /** The visible streams: those of the conversation, or one. */
  readonly #sections = new Map<Recording, StreamSection>();
  #form: Form = "chat";
  #shown: Recording | null = null;
  /** Whether the reader has scrolled to the end, and follows it. */
  #atEnd = true;

  /** @param start the content before the first stream */
  constructor(playback: Playback, start: Node) {
    this.#playback = playback;
    this.#start = start;
    this.#compare = new CompareView(playback);
    this.#convert = new ConvertView(playback);
    for (const form of FORMS) {
      byId(`as-${form}`).addEventListener("click", () => this.#choose(form));
    }
    this.#chat.addEventListener("scroll", () => {
      this.#atEnd = this.#chat.scrollHeight - this.#chat.scrollTop - this.#chat.clientHeight < 40;
    });
    // Pictures have no height before they are loaded.
    new ResizeObserver(() => this.#stay()).observe(this.#turns);
  }

  /** Shows the present state of the playback. */
  render(): void {
    const { recording, moment, position, length } = this.#playback;
    if (this.#form === "convert") {
      this.#convert.render();
    } else if (this.#form === "compare") {
      this.#compare.render();
    }
    if (recording === null || moment === null) {
      fill(this.#chat, this.#start);
      return;
    }
    fill(this.#status, answerChip(recording, moment, position === length));
    this.#pane.style.setProperty("--tint", recording.origin.conversation?.tint ?? "");
    setAttribute(this.#pane, "data-tinted", recording.origin.conversation?.tint);
    if (this.#form === "chat") {
      this.#renderChat(recording, moment);
    } else if (this.#form === "json") {
      fill(this.#json, prettyJson(moment.snapshot ?? null, moment.before));
      this.#json.querySelector("mark")?.scrollIntoView({ block: "nearest" });
    }
  }

  #renderChat(recording: Recording, moment: Answer): void {
    const streams = recording.origin.conversation?.streams ?? [recording];
    if (!this.#sections.has(streams[0]!)) {
      this.#sections.clear();
      this.#turns.replaceChildren();
      this.#atEnd = true;
    }
    if (this.#turns.parentElement !== this.#chat) {
      fill(this.#chat, this.#turns);
    }
    const current = streams.indexOf(recording);
    for (const [at, stream] of streams.entries()) {
      const isCurrent = at === current;
      this.#sectionOf(stream, at + 1).render(isCurrent ? moment : (stream.outcome ?? NOTHING), {
        isCurrent,
        isLater: at > current,
        isAlone: streams.length === 1,
        isAtEnd: !isCurrent || this.#playback.position === this.#playback.length,
      });
    }
    if (this.#shown !== recording) {
      this.#shown = recording;
      this.#atEnd = current === streams.length - 1;
      this.#sections.get(recording)!.element.scrollIntoView({ block: "nearest" });
    }
    this.#stay();
  }

  #sectionOf(stream: Recording, number: number): StreamSection {
    let section = this.#sections.get(stream);
    if (section === undefined) {
      section = new StreamSection(stream, number, () => this.#playback.load(stream));
      this.#sections.set(stream, section);
      this.#turns.append(section.element);
    }
    return section;
  }

  #stay(): void {
    if (this.#atEnd && this.#shown !== null) {
      this.#chat.scrollTop = this.#chat.scrollHeight;
    }
  }

  #choose(form: Form): void {
    this.#form = form;
    for (const each of FORMS) {
      byId(each).hidden = each !== form;
      setAttribute(byId(`as-${each}`), "aria-pressed", each === form);
    }
    this.render();
  }
}

/** The forms of the answer: ids of elements, with a button `as-…` for each. */
const FORMS = ["chat", "json", "convert", "compare"] as const;
type Form = (typeof FORMS)[number];

const NOTHING: Answer = { protocol: undefined, snapshot: undefined, toolCalls: [] };
