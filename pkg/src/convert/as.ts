// Reading any protocol as the answer of another one.

import type { Report } from "../findings.js";
import type { AgentwireSource } from "../body.js";
import { AnyDecoder } from "../decoder.js";
import { AgentwireError } from "../errors.js";
import { type DefaultProtocol, PROTOCOLS } from "../generated.js";
import type { DecoderOptions } from "../options.js";
import type { AnyProtocol, Protocol } from "../outcome.js";
import { ALL } from "../protocols.js";
import { type AgentStream, type ReadOptions, streamOf } from "../read.js";
import { Converter } from "./converter.js";
import { type CustomProtocol, type Front, defineProtocol } from "./protocol.js";

/** Which shape the answer has, whatever the stream speaks. */
export interface As<A extends Protocol> {
  /**
   * The answer is that of this protocol: the stream is read, and what it says is shown as that protocol's own reader would.
   * `report` is about the stream that was read, and its `losses` are what the answer does not show; updates have no
   * violations.
   */
  readonly as: A;
}

/**
 * Reads an agent's answer.
 *
 * ```js
 * const run = read(fetch("/process", { method: "POST", headers: { "content-type": "application/json" }, body, signal }), { signal });
 * for await (const update of run) render(update.snapshot, update.changes);
 * const { snapshot, report } = await run.finished();
 * ```
 *
 * @param source a response (or the promise of one), a stream of bytes, or anything that yields bytes
 */
export function read<A extends Protocol>(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: ReadOptions<AnyProtocol> & As<A>,
): AgentStream<A>;
export function read<P extends AnyProtocol = DefaultProtocol>(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options?: ReadOptions<P>,
): AgentStream<P>;
export function read(source: AgentwireSource | PromiseLike<AgentwireSource>, options: ReadOptions<AnyProtocol> = {}): AgentStream<AnyProtocol> {
  return streamOf(ALL, source, shown(options));
}

/** {@link AnyDecoder}, also of one protocol in the shape of another. */
export class Decoder<P extends AnyProtocol = DefaultProtocol> extends AnyDecoder<P> {
  /** Throws an `AgentwireError` with code `wrong-argument`, `wrong-option` or `unknown-protocol`. */
  constructor(options: DecoderOptions<AnyProtocol> & As<P & Protocol>);
  constructor(options?: DecoderOptions<P>);
  constructor(options: DecoderOptions<AnyProtocol> = {}) {
    super(ALL, shown(options));
  }
}

/** The same options, with a protocol in the place of both. */
function shown<O extends DecoderOptions<AnyProtocol>>(options: O): O {
  if (Object(options) !== options || !("as" in options)) {
    return options;
  }
  const { as, ...rest } = options as O & Partial<As<Protocol>>;
  if (as === undefined) {
    return rest as unknown as O;
  }
  if (!PROTOCOLS.includes(as)) {
    throw new AgentwireError("wrong-option", `option \`as\` is one of ${PROTOCOLS.join(", ")}`);
  }
  return { ...rest, protocol: shownAs(rest.protocol ?? "auto", as) } as unknown as O;
}

function shownAs(from: AnyProtocol, as: Protocol): CustomProtocol {
  const name = `${typeof from === "string" ? from : from.name} as ${as}`;
  return { ...defineProtocol({ name }), as, shows: from, open: (options) => front(from, as, options) };
}

function front(from: AnyProtocol, to: Protocol, options: DecoderOptions<never>): Front {
  // With `protocol` the framing would be that of a protocol of one's own.
  const { protocol: _, ...rest } = options;
  const converter = new Converter({ ...rest, from, to });
  return {
    push: (bytes) => converter.push(bytes),
    finish: (aborted) => (aborted ? converter.abort() : converter.finish()),
    report(): Report | undefined {
      const { conversion } = converter;
      return conversion && { ...conversion.report, losses: conversion.losses };
    },
    free: () => converter.free(),
  };
}
