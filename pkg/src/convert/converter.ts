// Converting without IO: bytes of one protocol in, bytes of another out. The conversion runs in the
// core.

import type { RawConverter, RawForwarding } from "../agentwire.js";
import { type Loss, Losses, type Report } from "../core/findings.js";
import { check } from "../core/arguments.js";
import { mustBeBytes } from "../read/body.js";
import { Handle } from "../core/handle.js";
import { BUILDER_OPTIONS, type BuilderOptions, builderOptionsJson } from "./builder_options.js";
import { must } from "../core/errors.js";
import { PROTOCOLS, WRITABLE, type WritableProtocol } from "../generated/contract.js";
import {
  type DecoderOptions,
  customOf,
  mustBeOptions,
  numberOf,
  protocolOf,
  settingsOf,
} from "../read/options.js";
import type { AnyProtocol, CustomProtocol, Source, Target } from "../core/outcome.js";
import { ALL } from "../generated/registry/protocols.js";
import { reportFromJson } from "../core/report.js";
import { seed } from "../core/random.js";
import { toolkit } from "../core/wasm.js";

export type { Loss } from "../core/findings.js";

/** The protocols of a conversion, and the options for reading the source and writing the target. */
export interface ConvertOptions
  extends Omit<DecoderOptions<AnyProtocol>, "protocol" | "bigint">,
    BuilderOptions {
  /**
   * The protocol of the source. With `auto`, the default, its first event determines it; the first
   * of the protocols is used if no event does.
   */
  readonly from?: AnyProtocol | undefined;
  /**
   * The protocol of the target. It can be the same as that of the source: the output is then a
   * valid stream with the same content.
   */
  readonly to: WritableProtocol | CustomProtocol;
}

/** The result of a conversion. */
export interface Conversion {
  /** The name of the source's protocol. */
  readonly from: string;
  /** The first losses, in order; `counts` is complete. */
  readonly losses: readonly Loss[];
  /** The number of losses of each kind. */
  readonly counts: { readonly [kind: string]: number };
  /** The report on the source: its violations, and the way in which it ended. */
  readonly report: Report;
}

const CONVERTER_OPTIONS: readonly string[] = [
  "from",
  "to",
  "limits",
  "bigint",
  "signal",
  "drainMs",
  ...BUILDER_OPTIONS,
];

/** Returns the target for answers that are passed on next to the source of a conversion. */
export let targetOf: (converter: Converter) => {
  make(from: number, settings: string, origin: string, seed: bigint): Handle<RawForwarding>;
  encode(output: Uint8Array): Uint8Array<ArrayBuffer>;
};

/**
 * Converts one stream from chunks of bytes of any source and size.
 *
 * ```js
 * const converter = new Converter({ from: "auto", to });
 * for (const chunk of chunks) send(converter.push(chunk));
 * send(converter.finish());
 * ```
 *
 * Invalid input never throws: a source with violations is read as by a `Decoder`, and the target is
 * always valid and ends with its protocol's terminal event. Comments are passed through.
 *
 * A converter holds WebAssembly memory until `finish`, `abort` or `free` is called, or its `using`
 * block ends.
 */
export class Converter {
  static {
    targetOf = (converter) => ({
      make: (...args) => converter.#handle.make("forward", ...args) as Handle<RawForwarding>,
      encode: (output) => converter.#encodeOutput(output),
    });
  }

  readonly #handle: Handle<RawConverter>;
  /** The sides with a custom protocol. On the core's side, they are lines of JSON. */
  readonly #source: Source | undefined;
  readonly #target: Target | undefined;
  /** The losses that functions of custom protocols have noted. */
  readonly #losses = new Losses();
  #conversion: Conversion | undefined;

  /**
   * @throws AgentwireError `wrong-option`, `unknown-protocol`, or `protocol-not-converted` if a
   * custom protocol has no function for its side
   */
  constructor(options: ConvertOptions) {
    check("new Converter", { options: "object" }, [options]);
    const { from = "auto", to } = options;
    const custom = customOf(from);
    mustBeOptions(ALL, options, CONVERTER_OPTIONS, from);
    this.#target = customOf(to)?.target();
    const source = custom === undefined ? numberOf(protocolOf(ALL, { protocol: from })) : LINES;
    // The protocols that can be written are the first ones.
    const target = this.#target === undefined ? WRITABLE.indexOf(to as WritableProtocol) : LINES;
    must(target >= 0, "unknown-protocol", `option \`to\` is one of ${WRITABLE.join(", ")}`);
    const core = toolkit();
    const [settings, write, key] = [settingsOf(ALL, options), builderOptionsJson(options), seed()];
    this.#handle = new Handle(
      core,
      () => new core.bindings.RawConverter(source, target, settings, write, key),
    );
    try {
      this.#source = custom?.source(this.#losses);
    } catch (error) {
      this.#handle.free();
      throw error;
    }
  }

  /** Converts the next bytes. The result may be empty. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    mustBeBytes(bytes);
    this.#mustBeOpen();
    const input = this.#source === undefined ? bytes : encoder.encode(this.#source.push(bytes));
    return this.#encodeOutput(this.#handle.call("push", input));
  }

  /** Ends the source, and returns the end of the target. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#end(() => this.#handle.call("finish", false));
  }

  /**
   * Ends a source that was cut off, for example because its connection was lost, and returns the
   * end of the target: that of an incomplete response.
   */
  cutOff(): Uint8Array<ArrayBuffer> {
    return this.#end(() => this.#handle.call("cutOff"));
  }

  /**
   * Aborts the conversion, and returns the end of the target: that of a canceled response, if its
   * protocol has one.
   */
  abort(): Uint8Array<ArrayBuffer> {
    return this.#end(() => this.#handle.call("finish", true));
  }

  /** The name of the source's protocol; `undefined` until an event has determined it. */
  get from(): string | undefined {
    return this.#conversion?.from ?? this.#source?.from ?? PROTOCOLS[this.#handle.call("source")];
  }

  /** Whether the source has ended, and further input is ignored. */
  get ended(): boolean {
    return this.#conversion !== undefined || this.#handle.call("hasEnded");
  }

  /** The losses and the report so far; `undefined` until the source's protocol is known. */
  get conversion(): Conversion | undefined {
    return this.#conversion ?? this.#conversionSoFar();
  }

  /** Releases the WebAssembly memory without finishing. Does nothing after `finish` and `abort`. */
  free(): void {
    this.#source?.free();
    this.#handle.free();
  }

  /** Calls {@link free}, for `using`. */
  [Symbol.dispose](): void {
    this.free();
  }

  #end(finish: () => Uint8Array): Uint8Array<ArrayBuffer> {
    this.#mustBeOpen();
    const left = this.#source?.finish() ?? "";
    const last = left === "" ? [] : [this.#handle.call("push", encoder.encode(left))];
    last.push(finish());
    const end = this.#encodeOutput(...last);
    this.#conversion = this.#conversionSoFar();
    this.free();
    return end;
  }

  /** Returns the output of the core in the format of the target. */
  #encodeOutput(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    if (this.#target === undefined && parts.length === 1) {
      // The core returned a copy in unshared memory.
      return parts[0] as Uint8Array<ArrayBuffer>;
    }
    const text = parts.map((part) => decoder.decode(part)).join("");
    return encoder.encode(this.#target?.write(text) ?? text);
  }

  #conversionSoFar(): Conversion | undefined {
    const from =
      this.#source === undefined ? PROTOCOLS[this.#handle.call("source")] : this.#source.from;
    if (from === undefined) {
      return undefined;
    }
    const core = JSON.parse(this.#handle.call("losses")) as {
      readonly losses: readonly Loss[];
      readonly counts: Conversion["counts"];
    };
    const counts = { ...core.counts };
    for (const [what, count] of Object.entries(this.#losses.counts)) {
      counts[what] = (counts[what] ?? 0) + count;
    }
    const losses = [...this.#losses.list, ...core.losses];
    return { from, losses, counts, report: reportFromJson(this.#handle.call("report")) };
  }

  #mustBeOpen(): void {
    must(
      this.#conversion === undefined,
      "finished",
      "the stream was finished: convert the next one with a new Converter",
    );
  }
}

/** The number of the hub's own lines; must match the number in Rust. */
const LINES = PROTOCOLS.length + 1;

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
