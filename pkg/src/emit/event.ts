// The events that builders return.

import type { Json } from "../agentwire.js";
import { parseJson } from "../core/json.js";

/** One event in its serialized form. */
export class BuilderEvent {
  readonly #frame: string;

  /** @param frame the event as a server-sent event, with its blank line */
  constructor(frame: string) {
    this.#frame = frame;
  }

  /**
   * The event as JSON: one object on one line, with properties in the order of the Python runtime.
   */
  get json(): string {
    return this.#frame.slice("data: ".length, -END.length);
  }

  /** Returns the event as a server-sent event, with its blank line. */
  toSse(): string {
    return this.#frame;
  }

  /** Returns the event as an object. Each call parses it again. */
  toObject(): { readonly [key: string]: Json } {
    return parseJson(this.json) as { readonly [key: string]: Json };
  }

  /** Returns the event as JSON. */
  toString(): string {
    return this.json;
  }
}

/**
 * The empty event. The constant keeps one object of the class alive: V8 discards the compiled code
 * of a class when a garbage collection finds no object of it, which would happen between two
 * streams (`benches/js/engine.mjs`).
 */
const NO_EVENT = /* @__PURE__ */ new BuilderEvent("");

/** Returns the event of a frame. */
export function eventOf(frame: string): BuilderEvent {
  return frame === "" ? NO_EVENT : new BuilderEvent(frame);
}

/** Returns the events of consecutive frames. */
export function eventsOf(frames: string): BuilderEvent[] {
  const all = frames.split(END);
  // The text after the last blank line is empty.
  all.pop();
  return all.map((frame) => eventOf(frame + END));
}

/** The end of a frame. JSON never contains a blank line, so every occurrence ends a frame. */
const END = "\n\n";
