// Reading a stream of any protocol in the shape of another protocol.

import type { Report } from "../core/findings.js";
import type { AgentwireSource } from "../read/body.js";
import { AnyDecoder } from "../read/decoder.js";
import { must } from "../core/errors.js";
import { type DefaultProtocol, WRITABLE, type WritableProtocol } from "../generated/contract.js";
import type { DecoderOptions } from "../read/options.js";
import type { AnyProtocol } from "../core/outcome.js";
import { ALL } from "../generated/registry/protocols.js";
import { type AgentStream, type ReadOptions, streamOf } from "../read/read.js";
import type { Converter } from "./converter.js";
import {
  type CustomProtocol,
  type InputConverter,
  defineProtocol,
  inputConverter,
} from "./protocol.js";

/** The option that selects the shape of the snapshot, independent of the protocol of the stream. */
export interface As<A extends WritableProtocol> {
  /**
   * The protocol whose shape the snapshot has: that protocol's own reader would return the same.
   * `report` describes the stream that was read, and its `losses` the values that the snapshot
   * cannot show; updates have no violations.
   */
  readonly as: A;
}

/**
 * Reads the response of an agent.
 *
 * ```js
 * const run = read(fetch("/process", { method: "POST", headers: { "content-type": "application/json" }, body, signal }), { signal });
 * for await (const update of run) render(update.snapshot, update.changes);
 * const { snapshot, report } = await run.finished();
 * ```
 *
 * @param source a response or a promise of one, a byte stream, or an async iterable of bytes
 */
export function read<A extends WritableProtocol>(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: ReadOptions<AnyProtocol> & As<A>,
): AgentStream<A>;
export function read<P extends AnyProtocol = DefaultProtocol>(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options?: ReadOptions<P>,
): AgentStream<P>;
export function read(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: ReadOptions<AnyProtocol> = {},
): AgentStream<AnyProtocol> {
  return streamOf(ALL, source, withConversion(options));
}

/** {@link AnyDecoder} with the option `as`. */
export class Decoder<P extends AnyProtocol = DefaultProtocol> extends AnyDecoder<P> {
  /** @throws AgentwireError `wrong-argument`, `wrong-option` or `unknown-protocol` */
  constructor(options: DecoderOptions<AnyProtocol> & As<P & WritableProtocol>);
  constructor(options?: DecoderOptions<P>);
  constructor(options: DecoderOptions<AnyProtocol> = {}) {
    super(ALL, withConversion(options));
  }
}

/** Returns the options with one custom protocol in place of `protocol` and `as`. */
function withConversion<O extends DecoderOptions<AnyProtocol>>(options: O): O {
  if (Object(options) !== options || !("as" in options)) {
    return options;
  }
  const { as, ...rest } = options as O & Partial<As<WritableProtocol>>;
  if (as === undefined) {
    return rest as unknown as O;
  }
  must(WRITABLE.includes(as), "wrong-option", `option \`as\` is one of ${WRITABLE.join(", ")}`);
  return { ...rest, protocol: conversionTo(rest.protocol ?? "auto", as) } as unknown as O;
}

function conversionTo(from: AnyProtocol, as: WritableProtocol): CustomProtocol {
  const name = `${typeof from === "string" ? from : from.name} as ${as}`;
  const open = (options: DecoderOptions<never>): InputConverter => {
    const { converter, ...conversion } = inputConverter(from, options, as);
    return { ...conversion, report: () => reportOf(converter) };
  };
  return { ...defineProtocol({ name }), as, shows: from, open };
}

/** Returns the report on the source, with the losses. */
function reportOf({ conversion }: Converter): Report | undefined {
  return conversion && { ...conversion.report, losses: conversion.losses };
}
