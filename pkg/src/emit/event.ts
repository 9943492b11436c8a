// Events as builders make them.

import type { Json } from "../agentwire.js";
import { parseJson } from "../json.js";

/** One event, exactly as it goes on the wire. */
export class BuilderEvent {
  readonly #frame: string;

  /** @param frame the event as a server-sent event, blank line included */
  constructor(frame: string) {
    this.#frame = frame;
  }

  /** The event's JSON: one object on one line, members in the order in which the Python runtime writes them. */
  get json(): string {
    return this.#frame.slice("data: ".length, -END.length);
  }

  /** The event as a server-sent event, blank line included. */
  toSse(): string {
    return this.#frame;
  }

  /** The event as an object; parsed anew at each call. */
  toObject(): { readonly [key: string]: Json } {
    return parseJson(this.json) as { readonly [key: string]: Json };
  }

  /** The event's JSON. */
  toString(): string {
    return this.json;
  }
}

/**
 * No event. It is there always: V8 throws away what it has compiled for a class when a collection finds no object of it, and
 * between two streams there would be none.
 */
const NONE = /* @__PURE__ */ new BuilderEvent("");

/** The event of a frame. */
export function eventOf(frame: string): BuilderEvent {
  return frame === "" ? NONE : new BuilderEvent(frame);
}

/** The events of several frames in a row. */
export function eventsOf(frames: string): BuilderEvent[] {
  const all = frames.split(END);
  // After the last blank line there is nothing.
  all.pop();
  return all.map((frame) => eventOf(frame + END));
}

/** JSON never holds a blank line, so this ends a frame wherever it stands. */
const END = "\n\n";
