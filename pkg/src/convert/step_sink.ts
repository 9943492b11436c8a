// The steps that a custom protocol decodes its events to.

import type { Json } from "../agentwire.js";
import type { NewContent, TerminalStatus } from "./builder_options.js";
import { stringifyJson } from "../core/json.js";
import type { Loss, Losses } from "../core/findings.js";
import { toolkit } from "../core/wasm.js";
import { type ProtocolStep, toCoreStep } from "./steps.js";

/** The details of a run's end. */
export interface ProtocolEnd {
  /** The error of a failed run. */
  readonly error?: { readonly code?: string; readonly message: string };
  /** The reason for an incomplete run, as one word. */
  readonly reason?: string;
  /** The token usage, in the property names of the source. */
  readonly usage?: { readonly [key: string]: Json };
  /** The result of the run, in addition to its messages. */
  readonly result?: Json;
  /** The ids of the calls that the client has to answer. */
  readonly pending?: readonly string[];
}

type Speech = "text" | "reasoning" | "refusal";

/**
 * Receives the steps of a run. The methods number messages and parts automatically: consecutive
 * deltas of one kind form one message, and so does each call and each result. To control the
 * numbers, call {@link emit} with explicit `message` and `part`.
 */
export class StepSink {
  /** The steps since the last call of {@link taken}, one per line. */
  #lines = "";
  readonly #losses: Losses;
  /** The number of the current event. */
  #event = 0;
  #messages = 0;
  /** The message that the next delta of this kind belongs to. */
  #speech: { readonly kind: Speech; readonly message: number } | undefined;
  readonly #calls = new Map<string, number>();

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  /**
   * Emits a step unchanged. There are more steps than methods:
   * {@link https://agentwire.github.io/agentwire/reference/hub | all steps}.
   */
  emit(step: ProtocolStep): void {
    this.#lines += `${stringifyJson({ event: this.#event, ...toCoreStep(step) } as unknown as Json)}\n`;
  }

  /** Sets the ids of the run and its conversation. Only allowed before all other steps. */
  start(names: { readonly id?: string; readonly sessionId?: string }): void {
    this.emit({ type: "start", ...names });
  }

  /** Emits a text delta. */
  text(piece: string): void {
    this.#emitPiece("text", piece);
  }

  /** Emits a delta of the model's reasoning. */
  reasoning(piece: string): void {
    this.#emitPiece("reasoning", piece);
  }

  /** Emits a delta of a refusal. */
  refusal(piece: string): void {
    this.#emitPiece("refusal", piece);
  }

  /** Ends the current message. The next delta starts a new one. */
  endMessage(): void {
    if (this.#speech !== undefined) {
      this.emit({ type: "close", message: this.#speech.message });
      this.#speech = undefined;
    }
  }

  /** Starts a tool call. */
  toolCall(id: string, name: string): void {
    this.endMessage();
    const message = this.#messages++;
    this.#calls.set(id, message);
    this.emit({ type: "call", message, part: 0, id, name });
  }

  /** Emits a delta of a call's arguments, which are JSON text. */
  toolArguments(id: string, piece: string): void {
    this.#inCall(id, (message) => this.emit({ type: "arguments", message, part: 0, piece }));
  }

  /** Completes the arguments of a call. */
  toolCallEnd(id: string): void {
    this.#inCall(id, (message) => this.emit({ type: "close", message }));
  }

  /** Emits the result of a tool: text, often JSON. */
  toolResult(id: string, output: string): void {
    this.#emitMessage((message) => ({ type: "result", message, part: 0, id, output }));
  }

  /** Emits a question of the agent. The run waits for the answer in another request. */
  interrupt(id: string, payload: Json, reason?: string): void {
    this.#emitMessage((message) => ({
      type: "interrupt",
      message,
      part: 0,
      id,
      payload,
      ...(reason === undefined ? {} : { reason }),
    }));
  }

  /** Emits a complete content: an image, audio, video, a file, data. */
  content(content: NewContent): void {
    this.#emitMessage((message) => ({ type: "whole", message, part: 0, content }));
  }

  /** Emits a heartbeat. */
  heartbeat(): void {
    this.emit({ type: "heartbeat" });
  }

  /** Ends the run. A run without this call is incomplete. */
  end(status: TerminalStatus = "completed", more: ProtocolEnd = {}): void {
    this.emit({ type: "end", status, ...more });
  }

  /** Ends the run as failed. */
  fail(message: string, code?: string): void {
    this.end("failed", { error: code === undefined ? { message } : { code, message } });
  }

  /**
   * Records a loss for a value that the hub cannot represent: its kind (in kebab-case), its
   * location and the reason.
   */
  lose(kind: string, location: string, reason: string): void {
    const usual = toolkit().call("lossClass", kind) as Loss["class"];
    this.#losses.note({ kind, class: usual, location, reason, event: this.#event });
  }

  /** Counts an event that was read. */
  next(): void {
    this.#event += 1;
  }

  /** Returns the steps since the last call. */
  taken(): string {
    const lines = this.#lines;
    this.#lines = "";
    return lines;
  }

  /** Emits a message with one step. */
  #emitMessage(step: (message: number) => ProtocolStep): void {
    this.endMessage();
    const message = this.#messages++;
    this.emit(step(message));
    this.emit({ type: "close", message });
  }

  #emitPiece(kind: Speech, piece: string): void {
    if (this.#speech?.kind !== kind) {
      this.endMessage();
      this.#speech = { kind, message: this.#messages++ };
    }
    this.emit({ type: kind, message: this.#speech.message, part: 0, piece });
  }

  #inCall(id: string, work: (message: number) => void): void {
    const message = this.#calls.get(id);
    if (message === undefined) {
      this.lose("call-not-started", id, "no call of that id was begun: left out");
    } else {
      work(message);
    }
  }
}
