// Where a protocol of your own says what its events mean.

import type { Json } from "../agentwire.js";
import type { NewContent, TerminalStatus } from "../emit/options.js";
import { stringifyJson } from "../json.js";
import type { Losses } from "./losses.js";
import { type ProtocolStep, toCoreStep } from "./steps.js";

/** How a run ends, besides its status. */
export interface ProtocolEnd {
  readonly error?: { readonly code?: string; readonly message: string };
  readonly reason?: string;
  readonly usage?: { readonly [key: string]: Json };
  /** What the run came to, besides its messages. */
  readonly result?: Json;
  /** Ids of the calls that wait for the client. */
  readonly pending?: readonly string[];
}

type Speech = "text" | "reasoning" | "refusal";

/**
 * Takes steps of a run. The methods number messages and parts by themselves: pieces of one kind in a row are one message,
 * each call and each result is one. Whoever wants it otherwise says steps with numbers of his own.
 */
export class StepSink {
  /** What was said since it was last taken, a line each. */
  #lines = "";
  readonly #losses: Losses;
  /** The number of the event that is being read. */
  #event = 0;
  #messages = 0;
  /** The message that the next piece of this kind belongs to. */
  #speech: { readonly kind: Speech; readonly message: number } | undefined;
  readonly #calls = new Map<string, number>();

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  /** Says a step as it is: there are more than this class has methods, see `docs/reference/hub.md`. */
  emit(step: ProtocolStep): void {
    this.#lines += `${stringifyJson({ event: this.#event, ...toCoreStep(step) } as unknown as Json)}\n`;
  }

  /** Names the run and its conversation. Only before everything else. */
  start(names: { readonly id?: string; readonly sessionId?: string }): void {
    this.emit({ type: "start", ...names });
  }

  /** A piece of the answer. */
  text(piece: string): void {
    this.#speak("text", piece);
  }

  /** A piece of what the model thought. */
  reasoning(piece: string): void {
    this.#speak("reasoning", piece);
  }

  /** A piece of why the agent will not answer. */
  refusal(piece: string): void {
    this.#speak("refusal", piece);
  }

  /** What is being said ends here: a further piece is a message of its own. */
  endMessage(): void {
    if (this.#speech !== undefined) {
      this.emit({ type: "close", message: this.#speech.message });
      this.#speech = undefined;
    }
  }

  /** A tool call begins. */
  toolCall(id: string, name: string): void {
    this.endMessage();
    const message = this.#messages++;
    this.#calls.set(id, message);
    this.emit({ type: "call", message, part: 0, id, name });
  }

  /** A piece of a call's arguments, which are JSON text. */
  toolArguments(id: string, piece: string): void {
    this.#inCall(id, (message) => this.emit({ type: "arguments", message, part: 0, piece }));
  }

  /** The arguments of a call are whole. */
  toolCallEnd(id: string): void {
    this.#inCall(id, (message) => this.emit({ type: "close", message }));
  }

  /** What a tool came to: text, often JSON text. */
  toolResult(id: string, output: string): void {
    this.endMessage();
    const message = this.#messages++;
    this.emit({ type: "result", message, part: 0, id, output });
    this.emit({ type: "close", message });
  }

  /** The agent asks something, and the run waits for the answer in another request. */
  interrupt(id: string, payload: Json, reason?: string): void {
    this.endMessage();
    const message = this.#messages++;
    this.emit({ type: "interrupt", message, part: 0, id, payload, ...(reason === undefined ? {} : { reason }) });
    this.emit({ type: "close", message });
  }

  /** A content that comes whole: an image, audio, video, a file, data. */
  content(content: NewContent): void {
    this.endMessage();
    const message = this.#messages++;
    this.emit({ type: "whole", message, part: 0, content });
    this.emit({ type: "close", message });
  }

  /** The run is alive, and has nothing to say. */
  heartbeat(): void {
    this.emit({ type: "heartbeat" });
  }

  /** The run ends. A run that never says so is incomplete. */
  end(status: TerminalStatus = "completed", more: ProtocolEnd = {}): void {
    this.emit({ type: "end", status, ...more });
  }

  /** The run failed. */
  fail(message: string, code?: string): void {
    this.end("failed", { error: code === undefined ? { message } : { code, message } });
  }

  /** Notes what has no place in the hub: what it is (kebab-case), where it stood, why it is lost. */
  lose(what: string, location: string, why: string): void {
    this.#losses.note({ what, location, why, event: this.#event });
  }

  /** The event has been read. */
  next(): void {
    this.#event += 1;
  }

  /** What was said since the last time. */
  taken(): string {
    const lines = this.#lines;
    this.#lines = "";
    return lines;
  }

  #speak(kind: Speech, piece: string): void {
    if (this.#speech?.kind !== kind) {
      this.endMessage();
      this.#speech = { kind, message: this.#messages++ };
    }
    this.emit({ type: kind, message: this.#speech.message, part: 0, piece });
  }

  #inCall(id: string, work: (message: number) => void): void {
    const message = this.#calls.get(id);
    message === undefined ? this.lose("call-not-started", id, "no call of that id was begun: left out") : work(message);
  }
}
