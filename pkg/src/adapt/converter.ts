// Converting without any input or output: bytes of one protocol in, bytes of another out. All of it happens in the core.

import type { RawConverter, Report } from "../agentwire.js";
import { Handle } from "../emit/handle.js";
import { type BuilderOptions, builderOptionsJson } from "../emit/options.js";
import { AgentwireError } from "../errors.js";
import { PROTOCOLS, type ReadOptions, protocolNumber, settingsOf } from "../options.js";
import type { Protocol, ProtocolChoice } from "../outcome.js";
import { seed } from "../seed.js";
import { toolkit } from "../wasm.js";

/** What is converted to what. How the source is read and the target is written may be said beside it. */
export interface ConvertOptions extends Omit<ReadOptions<ProtocolChoice>, "protocol" | "bigint">, BuilderOptions {
  /** What the source speaks; `auto` is what its first event tells, and the Agent API if none does. */
  readonly from: ProtocolChoice;
  /** What is written. The same as the source's is not nothing: what was illegal is legal then. */
  readonly to: Protocol;
}

/** Something that did not arrive as it was sent. */
export interface Loss {
  /** Stable kebab-case name of what is missing; `docs/losses.md` lists them. */
  readonly what: string;
  /** Where it stood: the id of a message or call, the name of an event or member. Empty for the run itself. */
  readonly where: string;
  /** Why it could not be carried, and what became of it. */
  readonly why: string;
}

/** What a conversion came to. */
export interface Conversion {
  /** The protocol that was read. */
  readonly from: Protocol;
  /** The first losses, in the order in which they were met; `counts` is complete. */
  readonly losses: readonly Loss[];
  /** How often each kind of loss was met. */
  readonly counts: { readonly [what: string]: number };
  /** What was wrong with the source, and how it ended. */
  readonly report: Report;
}

/**
 * Converts one stream whose bytes come from wherever you have them, cut anywhere.
 *
 * ```js
 * const converter = new Converter({ from: "ag-kit", to: "agent-api" });
 * for (const chunk of chunks) send(converter.push(chunk));
 * send(converter.finish());
 * ```
 *
 * Nothing that the source does makes it throw: a source that breaks rules is read as a `Decoder` reads it, and the target
 * is legal in any case and ends with its protocol's terminal event. Comments stay comments.
 *
 * It holds memory of the WebAssembly module until `finish`, `abort` or `free` is called, or `using` ends.
 */
export class Converter {
  readonly #handle: Handle<RawConverter>;
  #conversion: Conversion | undefined;

  /** Throws an `AgentwireError` with code `wrong-option` or `unknown-protocol`. */
  constructor(options: ConvertOptions) {
    const { from, to, clientTools } = options;
    const source = protocolNumber({ protocol: from });
    const target = PROTOCOLS.indexOf(to);
    if (target < 0) {
      throw new AgentwireError("unknown-protocol", `option \`to\` is one of ${PROTOCOLS.join(", ")}`);
    }
    const tools = clientTools === undefined ? "" : JSON.stringify(clientTools);
    const { RawConverter } = toolkit().bindings;
    const [settings, write] = [settingsOf(options), builderOptionsJson(options)];
    this.#handle = new Handle(() => new RawConverter(source, target, settings, tools, write, seed()));
  }

  /** Takes the next bytes; returns what they become, which may be nothing yet. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    return this.#call((raw) => raw.push(bytes)) as Uint8Array<ArrayBuffer>;
  }

  /** The source is over: returns the end of the target. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#end(false);
  }

  /** You want no more of the source: returns the end of the target, which says so if its protocol can. */
  abort(): Uint8Array<ArrayBuffer> {
    return this.#end(true);
  }

  /** The protocol that is read; `undefined` while no event has told it. */
  get from(): Protocol | undefined {
    return this.#conversion?.from ?? this.#call((raw) => PROTOCOLS[raw.source()]);
  }

  /** Whether the source has ended: nothing that comes would be converted any more. */
  get ended(): boolean {
    return this.#conversion !== undefined || this.#call((raw) => raw.hasEnded());
  }

  /** What could not be carried so far, and what is known of the source; `undefined` while its protocol is not known. */
  get conversion(): Conversion | undefined {
    return this.#conversion ?? this.#call(conversionOf);
  }

  /** Gives the memory back without finishing; harmless after `finish` and `abort`. */
  free(): void {
    this.#handle.free();
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.free();
  }

  // What the core returns is a copy of its own, in plain memory.
  #end(aborted: boolean): Uint8Array<ArrayBuffer> {
    const end = this.#call((raw) => raw.finish(aborted)) as Uint8Array<ArrayBuffer>;
    this.#conversion = this.#call(conversionOf);
    this.free();
    return end;
  }

  #call<R>(work: (raw: RawConverter) => R): R {
    if (this.#conversion !== undefined) {
      throw new AgentwireError("finished", "the stream was finished: convert the next one with a new Converter");
    }
    return this.#handle.call(work);
  }
}

function conversionOf(raw: RawConverter): Conversion | undefined {
  const from = PROTOCOLS[raw.source()];
  if (from === undefined) {
    return undefined;
  }
  const { losses, counts } = JSON.parse(raw.losses()) as Pick<Conversion, "losses" | "counts">;
  return { from, losses, counts, report: JSON.parse(raw.report()) as Report };
}
