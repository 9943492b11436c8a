// One thread: the history, the active run, and the input. The thread and the run are in the
// address, so a page that is reloaded, and a second tab, follow the same run.

import { AgentwireError, type RunEvents, type RunInput, RunsClient } from "agentwire/runs";
import type { Snapshot as AgUiSnapshot } from "agentwire/ag-ui";
import { byId, complain, el, fill, oncePerFrame, setText } from "../dom.js";
import { statusChip } from "../status_chip.js";
import { ThreadView } from "../thread_view.js";
import { type Place, placeOfAddress, writePlace } from "./address.js";
import { Composer, type Draft, reasonOf } from "./composer.js";
import { ConnectionPane } from "./connection_pane.js";
import { HistoryView } from "./history_view.js";
import { Line } from "./line.js";

/** The code of a run that was cancelled. */
const CANCELLED = "AGENT_RUN_CANCELLED";

const ENDPOINTS = "/api/v1/agent";
const EXAMPLES = [
  "Tell me a long story",
  "Compare Paris and Tokyo",
  "What is the weather like in Lisbon?",
  "Please fail",
];
/** On a loopback address, everyone is the demo's user. */
const headers = { authorization: "Bearer demo" };

export class ThreadPage {
  readonly #runs = new RunsClient(ENDPOINTS, { headers });
  readonly #line = new Line(({ kind, text }) => {
    this.#connection.note(kind, text);
    this.#draw();
  });
  /** The same endpoints, through the connection that can be cut. */
  readonly #followClient = new RunsClient(ENDPOINTS, {
    headers,
    fetch: this.#line.fetch,
    attempts: 1000,
    maxDelayMs: 2000,
  });
  readonly #connection = new ConnectionPane();
  readonly #history: HistoryView;
  readonly #composer: Composer;
  readonly #cut = byId<HTMLButtonElement>("cut");
  readonly #send = byId<HTMLButtonElement>("send");
  readonly #stop = byId<HTMLButtonElement>("stop");
  readonly #complaint = el("p", { class: "failure", role: "note" });
  readonly #draw = oncePerFrame(() => this.#render());
  /** The other tabs with this thread. */
  #others: BroadcastChannel;
  #place: Place;
  #run: RunEvents | null = null;
  #view = new ThreadView();
  #snapshot: AgUiSnapshot | null = null;
  #failure: string | null = null;

  constructor() {
    this.#history = new HistoryView(
      this.#runs,
      (text) => void this.#startRun({ text, images: [], variant: "" }),
    );
    this.#composer = new Composer(
      this.#runs,
      () => this.#place.threadId,
      (draft) => void this.#startRun(draft),
    );
    byId("new-thread").addEventListener(
      "click",
      () => void this.show({ threadId: crypto.randomUUID(), runId: null }),
    );
    this.#cut.addEventListener("click", () => this.#line.cut());
    byId<HTMLInputElement>("offline").addEventListener(
      "change",
      ({ target }) => (this.#line.offline = (target as HTMLInputElement).checked),
    );
    byId("examples").append(...EXAMPLES.map((text) => this.#example(text)));
    this.#stop.addEventListener("click", () => void this.#cancel());
    addEventListener("hashchange", () => void this.show(placeOfAddress()));
    this.#place = placeOfAddress();
    this.#others = this.#joinChannel(this.#place.threadId);
    void this.show(this.#place);
  }

  /** Shows a thread, and follows its run. */
  async show(place: Place): Promise<void> {
    if (place.threadId !== this.#place.threadId) {
      this.#others.close();
      this.#others = this.#joinChannel(place.threadId);
      this.#composer.clear();
    }
    this.#place = place;
    writePlace(place);
    byId<HTMLAnchorElement>("second").href = location.href;
    void this.#run?.cancel("another run is shown");
    [this.#run, this.#snapshot, this.#failure, this.#view] = [null, null, null, new ThreadView()];
    this.#draw();
    await this.#loadHistory(place);
    if (place === this.#place && place.runId !== null) {
      await this.#follow(place.runId);
    }
    this.#draw();
  }

  #example(text: string): HTMLElement {
    const button = el("button", { type: "button" }, text);
    button.addEventListener("click", () => void this.#startRun({ text, images: [], variant: "" }));
    return button;
  }

  async #loadHistory({ threadId, runId }: Place): Promise<void> {
    try {
      // A thread is created by its first run.
      await this.#history.load(runId === null ? null : threadId);
    } catch (error) {
      complain(`The history could not be read: ${reasonOf(error)}`);
    }
  }

  async #startRun({ text, images, variant }: Draft): Promise<void> {
    const { threadId } = this.#place;
    const runId = `run_${crypto.randomUUID()}`;
    const parts = images.map(({ mimeType, url }) => ({
      type: "image" as const,
      source: { type: "url" as const, value: url, mimeType },
    }));
    const input: RunInput = {
      threadId,
      runId,
      messages: [
        {
          id: `user_${runId}`,
          role: "user",
          content: parts.length === 0 ? text : [{ type: "text", text }, ...parts],
        },
      ],
      forwardedProps: { runtime_mode: "chat" },
      state: { demo: optionsOf(variant, text) },
    };
    this.#send.disabled = true;
    try {
      await this.#runs.createRun(input);
      complain(null);
      this.#others.postMessage(runId);
      void this.show({ threadId, runId });
    } catch (error) {
      complain(`The run was not started: ${reasonOf(error)}`);
    }
    this.#send.disabled = false;
  }

  /** Reads a run to its end, with as many connections as necessary. */
  async #follow(runId: string): Promise<void> {
    const run = this.#followClient.events(this.#place.threadId, runId);
    this.#run = run;
    try {
      for await (const { snapshot } of run) {
        if (this.#run !== run) {
          return;
        }
        this.#snapshot = snapshot;
        this.#draw();
      }
      if (this.#run === run) {
        const { snapshot } = await run.finished();
        this.#connection.note("over", `the run is ${snapshot.status}`);
        await this.#loadHistory(this.#place);
      }
    } catch (error) {
      if (this.#run === run) {
        this.#failure = error instanceof AgentwireError ? error.message : reasonOf(error);
      }
    }
  }

  async #cancel(): Promise<void> {
    const { threadId, runId } = this.#place;
    try {
      await this.#runs.cancel(threadId, runId ?? "");
    } catch (error) {
      complain(`The run was not stopped: ${reasonOf(error)}`);
    }
  }

  /** Follows runs that another tab starts in the same thread. */
  #joinChannel(threadId: string): BroadcastChannel {
    const others = new BroadcastChannel(`agentwire-thread-${threadId}`);
    others.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && threadId === this.#place.threadId) {
        void this.show({ threadId, runId: data });
      }
    });
    return others;
  }

  #render(): void {
    const scroll = byId("conversation");
    const isAtEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 60;
    const [snapshot, failure] = [this.#snapshot, this.#failure];
    const isUnderWay =
      this.#run !== null &&
      failure === null &&
      (snapshot === null || snapshot.status === "running");
    if (snapshot !== null) {
      this.#view.render({ snapshot: snapshot }, { reply: undefined, resume: undefined });
    }
    const status =
      failure !== null
        ? "failed"
        : snapshot === null
          ? isUnderWay
            ? "queued"
            : ""
          : snapshot.error?.code === CANCELLED
            ? "cancelled"
            : snapshot.status;
    fill(byId("run-status"), status === "" ? null : statusChip(status));
    this.#renderLive(snapshot !== null, failure ?? snapshot?.error?.message ?? "");
    this.#history.hide(new Set(snapshot?.messages.map(({ id }) => id)));
    byId("nothing").hidden = snapshot !== null || !this.#history.isEmpty || isUnderWay;
    this.#send.hidden = isUnderWay;
    this.#stop.hidden = !isUnderWay;
    this.#cut.disabled = !this.#line.isOpen;
    const line = this.#line.isOpen ? "connected" : isUnderWay ? "waiting" : "over";
    this.#connection.render(this.#place.runId, this.#run, line);
    if (isAtEnd) {
      scroll.scrollTop = scroll.scrollHeight;
    }
  }

  /** Elements that are visible already stay in place, with the reader's selection. */
  #renderLive(isShown: boolean, complaint: string): void {
    const shown = isShown ? this.#view.element : null;
    const live = byId("live");
    if (
      live.lastElementChild !== this.#complaint ||
      this.#complaint.previousElementSibling !== shown
    ) {
      fill(live, shown, this.#complaint);
    }
    setText(this.#complaint, complaint);
    this.#complaint.hidden = complaint === "";
  }
}

/** Returns the options of the demo agent: long texts are slow enough to be cut. */
function optionsOf(variant: string, text: string): { [name: string]: string | number } {
  const isLong = variant === "long" || (variant === "" && /\blong\b|长文/i.test(text));
  return isLong ? { variant: "long", delay: 30, tokens: 400 } : variant === "" ? {} : { variant };
}
