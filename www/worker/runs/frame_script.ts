// An answer whose log has the frames of any protocol, as they go out, and the reading end of it.

import { Converter, Decoder, type Json, type RunLogEntry, runErrorEvent, stringify } from "agentwire";
import type { Failure, Script } from "./driver.js";
import type { Subscription } from "./readers.js";

/** What the entry after the last frame is. It says nothing itself. */
const END = "end";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Frames, and one entry after them. */
export class FrameScript implements Script {
  /** All that was said: how an answer is cut short depends on it. */
  #said: string[] = [];
  isOver = false;

  /** @param said the frames that are in the log already */
  constructor(said: readonly string[] = []) {
    this.#said = [...said];
  }

  append(data: string): string {
    this.isOver = data === "";
    this.#said.push(data);
    return this.isOver ? END : "frame";
  }

  ending(failure: Failure | undefined): readonly string[] {
    return failure === undefined ? [""] : [...cutShort(this.#said, failure), ""];
  }

  free(): void {
    this.#said = [];
  }
}

/** The frames that end an answer of which this was said, legally in its protocol. */
function cutShort(frames: readonly string[], { code, message }: Failure): string[] {
  const said = encoder.encode(frames.join(""));
  const reader = new Decoder({ protocol: "auto" });
  reader.push(said);
  const { protocol, snapshot } = reader.finish();
  switch (protocol) {
    case "ag-ui":
      return [frame(runErrorEvent(code, message))];
    case "ag-kit":
      return [frame(JSON.stringify({ type: "error", error: message })), frame("[DONE]")];
    case "agent-api": {
      const { sequence_number: last = -1 } = JSON.parse((frames.at(-1) ?? "data: {}").slice("data:".length)) as { sequence_number?: number };
      const output = snapshot.output.map((item) => (item.status === "in_progress" ? { ...item, status: "incomplete" } : item));
      return [frame(JSON.stringify({ ...snapshot, sequence_number: last + 1, object: "response", status: "failed", error: { code, message }, output }))];
    }
    case "responses": {
      const output = snapshot.output?.map((item) => ("status" in item && item.status === "in_progress" ? { ...item, status: "incomplete" } : item));
      const response = { ...snapshot, status: "failed", error: { code, message }, output };
      const data = stringify({ type: "response.failed", sequence_number: frames.length, response } as unknown as Json);
      return [`event: response.failed\n${frame(data)}`];
    }
    default: {
      const converter = new Converter({ from: protocol, to: protocol });
      converter.push(said);
      return framesOf(decoder.decode(converter.cutOff()));
    }
  }
}

const frame = (data: string): string => `data: ${data}\n\n`;

/** The whole frames of a text that is one or more of them; comments are not among them. */
export function framesOf(text: string): string[] {
  return text.split(/(?<=\n\n)/).filter((one) => one.endsWith("\n\n") && !one.startsWith(":"));
}

/** The frames after a place of the log, each with its cursor. */
export class FrameSubscription implements Subscription {
  readonly #generation: string | undefined;
  readonly #idleLimit: number;
  #text = "";
  #idle = 0;
  after: number;
  end: "terminal" | "idle" | undefined;

  /** Without a `generation` the frames have no cursors. */
  constructor({ generation, after, idleLimit }: { readonly generation: string | undefined; readonly after: number; readonly idleLimit: number }) {
    this.#generation = generation;
    this.#idleLimit = idleLimit;
    this.after = after;
  }

  read({ number, kind, data }: RunLogEntry): void {
    this.after = number;
    this.#idle = 0;
    if (kind === END) {
      this.end = "terminal";
    } else {
      this.#text += this.#generation === undefined ? data : `id: ${this.#generation}-${number}\n${data}`;
    }
  }

  idle(): void {
    this.#text += ": keep-alive\n\n";
    this.#idle++;
    if (this.#idle >= this.#idleLimit) {
      this.end = "idle";
    }
  }

  flush(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  free(): void {}
}
