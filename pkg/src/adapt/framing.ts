// Cutting bytes into the events of a protocol, and back.

import type { RawFramer } from "../agentwire.js";
import { Handle } from "../emit/handle.js";
import { toolkit } from "../wasm.js";

/** How events lie in a stream: one line each, or the data of server-sent events. */
export type Framing = "lines" | "sse";

/** Cuts bytes, however they arrive, into events. Empty lines are none. */
export class Framer {
  readonly #handle: Handle<RawFramer>;

  constructor(framing: Framing) {
    this.#handle = new Handle(() => new (toolkit().bindings.RawFramer)(framing === "sse"));
  }

  push(bytes: Uint8Array): string[] {
    return this.#handle.call((raw) => raw.push(bytes));
  }

  /** The end: a last event may have no line end behind it. */
  finish(): string[] {
    return this.#handle.call((raw) => raw.finish());
  }

  free(): void {
    this.#handle.free();
  }
}

/** An event as it lies in a stream. */
export function framed(event: string, framing: Framing): string {
  return framing === "sse" ? `data: ${event.replaceAll("\n", "\ndata: ")}\n\n` : `${event}\n`;
}
