// Splitting bytes into the events of a protocol, and joining them.

import type { RawFramer } from "../agentwire.js";
import { Handle } from "../core/handle.js";
import { must } from "../core/errors.js";
import type { Framing } from "../core/outcome.js";
import { toolkit } from "../core/wasm.js";

/** Splits bytes, in chunks of any size, into events. Empty lines are skipped. */
export class Framer {
  readonly #handle: Handle<RawFramer>;

  constructor(framing: Framing) {
    const core = toolkit();
    this.#handle = new Handle(core, () => new core.bindings.RawFramer(framing === "sse"));
  }

  push(bytes: Uint8Array): string[] {
    return this.#handle.call("push", bytes);
  }

  /** Ends the input. The last event may lack its line end. */
  finish(): string[] {
    return this.#handle.call("finish");
  }

  free(): void {
    this.#handle.free();
  }
}

/**
 * Returns an event in its framing. In server-sent events, each line break (LF, CR or CRLF) starts
 * another `data` line, and readers receive it as LF. Framing by lines allows no line breaks.
 *
 * @throws AgentwireError `event-not-text`; `line-break` if the framing allows no line breaks
 */
export function withFraming(event: string, framing: Framing): string {
  must(
    typeof event === "string",
    "event-not-text",
    "`emit` takes an event as a string, for example of JSON.stringify()",
  );
  if (framing === "sse") {
    return `data: ${event.replace(LINE_BREAKS, "\ndata: ")}\n\n`;
  }
  const instead = 'write it as JSON.stringify() does, without line breaks, or use `framing: "sse"`';
  must(
    event.search(LINE_BREAKS) < 0,
    "line-break",
    `an event in the framing \`lines\` cannot contain a line break: ${instead}`,
  );
  return `${event}\n`;
}

const LINE_BREAKS = /\r\n|\r|\n/g;
