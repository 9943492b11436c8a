// The state of the connection, in numbers and as a log.

import type { RunEvents } from "agentwire/runs";
import { byId, el, fill } from "../dom.js";
import { statusChip } from "../status_chip.js";

/** The maximum number of lines that are kept. */
const MOST_LINES = 200;

export class ConnectionPane {
  readonly #log = byId("log");
  readonly #facts = byId("facts");
  readonly #status = byId("connection-status");

  /** Adds a line to the log. */
  note(kind: string, text: string): void {
    const time = el("time", {}, new Date().toTimeString().slice(0, 8));
    this.#log.append(el("li", { "data-kind": kind }, time, text));
    while (this.#log.children.length > MOST_LINES) {
      this.#log.firstElementChild!.remove();
    }
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** Shows the present run; null without one. */
  render(runId: string | null, run: RunEvents | null, state: string): void {
    fill(this.#status, run === null ? null : statusChip(state));
    const { connections, events, redelivered, resets } = run?.connections ?? {};
    const facts: readonly (readonly [string, string | number | undefined])[] = [
      ["run", runId ?? "none yet"],
      ["cursor", run?.cursor ?? "the beginning"],
      ["connections", connections],
      ["events", events],
      ["received twice", redelivered],
      ["restarts", resets],
    ];
    fill(
      this.#facts,
      ...facts.flatMap(([name, value]) => [
        el("dt", {}, name),
        el("dd", { "data-fact": name }, String(value ?? 0)),
      ]),
    );
  }
}
