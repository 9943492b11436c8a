// An AG-UI run being written.

import type { AgUiInterrupt, Json } from "../agentwire.js";
import { AgentwireError } from "../errors.js";
import { type BuilderEvent, eventsOf } from "../emit/event.js";
import { Emission } from "../emit/emission.js";
import type { JsonObject } from "../emit/options.js";
import { stringify } from "../json.js";
import type { AgUiEvent } from "./events.js";
import type { AgUiLane, AgUiNewCall, AgUiNewSubagent, AgUiOut, AgUiRespondOptions } from "./out.js";
import { AgUiStreamBuilder, type AgUiTokenUsage } from "./stream_builder.js";
import { AgUiWriter } from "./writer.js";

/** What users get as `AgUiOut`. */
export class AgUiEmission extends Emission<AgUiWriter> implements AgUiOut {
  readonly #lane: Lane;

  constructor({ input, sessionId, responseId, chunks, ids }: AgUiRespondOptions & { readonly sessionId: string }, heartbeat: number) {
    const { threadId, runId, state } = input ?? { threadId: sessionId, runId: responseId, state: undefined };
    const fallback = ids === "numbered" ? "run_1" : `run_${crypto.randomUUID()}`;
    const builder = new AgUiStreamBuilder({ threadId, runId: runId || fallback, state: state as Json | undefined, chunks, ids });
    super(new AgUiWriter(builder, ids), heartbeat);
    this.#lane = new Lane(this, undefined);
  }

  /** For agents that are written for any protocol. */
  get response(): never {
    const text = "this run is written in AG-UI: it has no builder of the Agent API, use `event()`";
    throw new AgentwireError("protocol-not-converted", text);
  }

  override open(): void {
    this.begin(() => this.writer.builder.start());
  }

  text(piece: string | null | undefined): Promise<void> {
    return this.#lane.text(piece);
  }

  toolCall(name: string, args: Json, options?: AgUiNewCall): Promise<string> {
    return this.#lane.toolCall(name, args, options);
  }

  state(next: Json): Promise<void> {
    return this.#lane.state(next);
  }

  activity(id: string, type: string, content: JsonObject): Promise<void> {
    return this.#lane.activity(id, type, content);
  }

  step<T>(name: string, work: () => T | PromiseLike<T>): Promise<T> {
    return this.#lane.step(name, work);
  }

  custom(name: string, value: Json): Promise<void> {
    return this.#lane.custom(name, value);
  }

  subagent<T>(name: string, work: (lane: AgUiLane) => T | PromiseLike<T>, options?: AgUiNewSubagent): Promise<T> {
    return this.#lane.subagent(name, work, options);
  }

  event(event: AgUiEvent): Promise<void> {
    return this.said(undefined, (builder) => builder.event(event));
  }

  interrupt(...interrupts: AgUiInterrupt[]): Promise<void> {
    this.writer.outcome = { type: "interrupt", interrupts };
    return this.last("completed");
  }

  result(value: Json): void {
    this.writer.result = value;
  }

  override usage(usage: readonly AgUiTokenUsage[] | JsonObject): void {
    this.begin(() => (this.writer.setUsage(usage), []));
  }

  /** Writes something in a lane. What is written otherwise is the agent's own. */
  said(lane: string | undefined, make: (builder: AgUiStreamBuilder) => BuilderEvent[]): Promise<void> {
    const { builder } = this.writer;
    return this.sent(() => {
      if (lane === undefined) {
        return [...this.endOthers(), ...make(builder)];
      }
      builder.lane(lane);
      try {
        return make(builder);
      } finally {
        builder.lane();
      }
    });
  }
}

/** What is written in one lane. */
class Lane implements AgUiLane {
  readonly #emission: AgUiEmission;
  readonly #id: string | undefined;

  constructor(emission: AgUiEmission, id: string | undefined) {
    this.#emission = emission;
    this.#id = id;
  }

  text(piece: string | null | undefined): Promise<void> {
    return this.#said((builder) => eventsOf(builder.pieces("text", piece ?? "")));
  }

  async toolCall(name: string, args: Json, { id, result }: AgUiNewCall = {}): Promise<string> {
    const call = id ?? this.#emission.writer.id("call_");
    await this.#said((builder) => [
      ...builder.toolCallStart(call, name),
      ...builder.toolCallArgs(call, textOf(args)),
      ...builder.toolCallEnd(call),
      ...(result === undefined ? [] : builder.toolResult(call, textOf(result))),
    ]);
    return call;
  }

  state(next: Json): Promise<void> {
    return this.#said((builder) => builder.state(next));
  }

  activity(id: string, type: string, content: JsonObject): Promise<void> {
    return this.#said((builder) => builder.activity(id, type, content as Json));
  }

  async step<T>(name: string, work: () => T | PromiseLike<T>): Promise<T> {
    await this.#event({ type: "STEP_STARTED", stepName: name });
    const done = await work();
    await this.#event({ type: "STEP_FINISHED", stepName: name });
    return done;
  }

  custom(name: string, value: Json): Promise<void> {
    return this.#event({ type: "CUSTOM", name, value });
  }

  async subagent<T>(
    name: string,
    work: (lane: AgUiLane) => T | PromiseLike<T>,
    { id, description }: AgUiNewSubagent = {},
  ): Promise<T> {
    const subagentRunId = id ?? this.#emission.writer.id("subagent_");
    const parent = this.#id === undefined ? {} : { parentSubagentRunId: this.#id };
    const more = description === undefined ? {} : { description };
    const started = { type: "SUBAGENT_STARTED", subagentRunId, name, ...more, ...parent } as const;
    await this.#said((builder) => [...builder.endMessage(), ...builder.event(started)]);
    const lane = new Lane(this.#emission, subagentRunId);
    const ended = (event: AgUiEvent) => this.#emission.said(subagentRunId, (builder) => [...builder.endMessage(), ...builder.event(event)]);
    let done: T;
    try {
      done = await work(lane);
    } catch (error) {
      if (!this.#emission.ended) {
        await ended({ type: "SUBAGENT_ERROR", subagentRunId, message: "the subagent has failed" });
      }
      throw error;
    }
    await ended({ type: "SUBAGENT_FINISHED", subagentRunId });
    return done;
  }

  #event(event: AgUiEvent): Promise<void> {
    const lane = this.#id === undefined || "subagentRunId" in event ? {} : { subagentRunId: this.#id };
    return this.#said((builder) => builder.event({ ...event, ...lane } as AgUiEvent));
  }

  #said(make: (builder: AgUiStreamBuilder) => BuilderEvent[]): Promise<void> {
    return this.#emission.said(this.#id, make);
  }
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : stringify(value);
}
