// The public API of `agentwire/reader`.

import type { AgentwireSource } from "./read/body.js";
import { AnyDecoder } from "./read/decoder.js";
import type { DefaultProtocol } from "./generated/contract.js";
import type { DecoderOptions } from "./read/options.js";
import type { AnyProtocol } from "./core/outcome.js";
import { ALL } from "./generated/registry/protocols.js";
import { type AgentStream, type ReadOptions, streamOf } from "./read/read.js";
import { isReady } from "./core/wasm.js";

export * from "./common_exports.js";
export * from "./any.js";

/**
 * Reads the response of an agent.
 *
 * @param source a response or a promise of one, a byte stream, or an async iterable of bytes
 */
export function read<P extends AnyProtocol = DefaultProtocol>(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: ReadOptions<P> = {},
): AgentStream<P> {
  return streamOf(ALL, source, options);
}

/** {@link AnyDecoder} for any protocol. */
export class Decoder<P extends AnyProtocol = DefaultProtocol> extends AnyDecoder<P> {
  /** @throws AgentwireError `wrong-argument`, `wrong-option` or `unknown-protocol` */
  constructor(options: DecoderOptions<P> = {}) {
    super(ALL, options);
  }
}

/**
 * Returns whether streams can be read: immediately in Node and workers, after `init()` in a page.
 */
export function ready(): boolean {
  return isReady(ALL);
}
