// Cutting bytes into the events of a protocol, and back.

import type { RawFramer } from "../agentwire.js";
import { Handle } from "../emit/handle.js";
import { AgentwireError } from "../errors.js";
import type { Framing } from "../read_options.js";
import { toolkit } from "../wasm.js";

/** Cuts bytes, however they arrive, into events. Empty lines are none. */
export class Framer {
  readonly #handle: Handle<RawFramer>;

  constructor(framing: Framing) {
    const core = toolkit();
    this.#handle = new Handle(core, () => new core.bindings.RawFramer(framing === "sse"));
  }

  push(bytes: Uint8Array): string[] {
    return this.#handle.call("push", bytes);
  }

  /** The end: a last event may have no line end after it. */
  finish(): string[] {
    return this.#handle.call("finish");
  }

  free(): void {
    this.#handle.free();
  }
}

/**
 * An event as it lies in a stream. A line break (LF, CR or CRLF) begins another `data` line of a server-sent event, which
 * readers give back as LF. A line cannot have one.
 *
 * @throws AgentwireError `event-not-text`, or `line-break` where an event is a line
 */
export function framed(event: string, framing: Framing): string {
  if (typeof event !== "string") {
    throw new AgentwireError("event-not-text", "an event is given to `emit` as text, for example by JSON.stringify()");
  }
  if (framing === "sse") {
    return `data: ${event.replace(LINE_BREAKS, "\ndata: ")}\n\n`;
  }
  if (event.search(LINE_BREAKS) >= 0) {
    const instead = 'write it as JSON.stringify() does, without line breaks, or take `framing: "sse"`';
    throw new AgentwireError("line-break", `an event that is a line of its own cannot have a line break: ${instead}`);
  }
  return `${event}\n`;
}

const LINE_BREAKS = /\r\n|\r|\n/g;
