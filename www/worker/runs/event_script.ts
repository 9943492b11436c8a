// The rules of a run whose log has AG-UI events.

import { runErrorEvent, RunWriter } from "agentwire/runs/server";
import type { Failure, Script } from "./driver.js";

/** A run from RUN_STARTED to the terminal event. */
export class EventScript implements Script {
  readonly #started: string;
  readonly #writer: RunWriter;
  #hasBegun: boolean;

  /** @param hasBegun whether the log has the beginning already */
  constructor(threadId: string, runId: string, hasBegun = false) {
    this.#started = JSON.stringify({ type: "RUN_STARTED", threadId, runId });
    this.#writer = new RunWriter(runId, hasBegun);
    this.#hasBegun = hasBegun;
  }

  append(data: string): string {
    const kind = this.#writer.append(data);
    this.#hasBegun = true;
    return kind;
  }

  get isOver(): boolean {
    return this.#writer.isOver;
  }

  ending(failure: Failure = { code: "AGENT_TRUNCATED", message: "the agent has stopped before its end" }): readonly string[] {
    const error = runErrorEvent(failure.code, failure.message);
    return this.#hasBegun ? [error] : [this.#started, error];
  }

  free(): void {
    this.#writer.free();
  }
}
