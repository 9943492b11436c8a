// State, activities, steps and subagents, which are not messages. In the protocol that agents are written in, each is a
// separate message that is complete immediately and whose type is the name of the step (`docs/reference/hub.md`); other
// protocols have events for them. States and activities can appear between text deltas; the start and the end of a step
// or subagent complete the text.

import type { ErrorInfo, Json, MessageType } from "../agentwire.js";
import type { JsonObject } from "../core/json.js";
import type { ActivityWriter, StepWriter, SubagentWriter } from "./out.js";
import type { AgentApiStreamBuilder } from "./response_builder.js";
import type { RunWriter } from "./run_writer.js";

/** The run of the notes. */
export interface NoteWriter extends RunWriter {
  readonly builder: AgentApiStreamBuilder;
  /** Completes the open messages and contents that are not `parallel`. */
  settle(): void;
}

const PREFIX = "agentwire.";

/**
 * Writes a step without completing open messages. Its properties may be derived from the id of its message, which is as
 * random as the option `ids` requires.
 */
function note(emission: NoteWriter, name: string, members: (messageId: string) => JsonObject): void {
  emission.begin(() => {
    const message = emission.own(emission.builder.createMessageBuilder("assistant", (PREFIX + name) as MessageType));
    const first = message.inProgress();
    const data = message.addContent({ type: "data", data: members(message.id) });
    return [first, data, ...message.finishWith("completed")];
  });
}

/** Writes a step that consists of a single event. */
export function noted(emission: NoteWriter, name: string, members: JsonObject): Promise<void> {
  return emission.writing(() => note(emission, name, () => members));
}

/** An activity. It is sent with its first update. */
export class EmittedActivity implements ActivityWriter {
  readonly #emission: NoteWriter;
  readonly #type: string;
  #id: string | undefined;

  constructor(emission: NoteWriter, type: string, id: string | undefined) {
    this.#emission = emission;
    this.#type = type;
    this.#id = id;
  }

  update(content: JsonObject): Promise<void> {
    const members = (messageId: string): JsonObject => {
      this.#id ??= messageId.replace(/^msg_/, "activity_");
      return { id: this.#id, activityType: this.#type, content } as JsonObject;
    };
    return this.#emission.writing(() => note(this.#emission, "activity", members));
  }
}

/** A step that has started. */
export class EmittedStep implements StepWriter {
  readonly #emission: NoteWriter;
  readonly #name: string;
  #open = true;

  constructor(emission: NoteWriter, name: string) {
    this.#emission = emission;
    this.#name = name;
    emission.settle();
    note(emission, "step-start", () => ({ name }));
  }

  complete(): Promise<void> {
    if (!this.#open) {
      return Promise.resolve();
    }
    this.#open = false;
    return this.#emission.writing(() => {
      this.#emission.settle();
      return note(this.#emission, "step-end", () => ({ name: this.#name }));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#emission.ended) {
      await this.complete();
    }
  }
}

/** A subagent that has started. */
export class EmittedSubagent implements SubagentWriter {
  readonly id: string;
  readonly #emission: NoteWriter;
  #open = true;

  constructor(emission: NoteWriter, name: string, task: string | undefined) {
    let id = "";
    emission.settle();
    note(emission, "lane-start", (messageId) => {
      id = messageId.replace(/^msg_/, "subagent_");
      return { id, name, ...(task === undefined ? {} : { text: task }) };
    });
    this.id = id;
    this.#emission = emission;
  }

  complete(result?: Json): Promise<void> {
    return this.#end("completed", result === undefined ? {} : { result });
  }

  fail(error: ErrorInfo): Promise<void> {
    return this.#end("failed", { error: { ...error } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#emission.ended) {
      await this.complete();
    }
  }

  #end(status: string, more: JsonObject): Promise<void> {
    if (!this.#open) {
      return Promise.resolve();
    }
    this.#open = false;
    return this.#emission.writing(() => {
      this.#emission.settle();
      return note(this.#emission, "lane-end", () => ({ id: this.id, status, ...more }));
    });
  }
}
