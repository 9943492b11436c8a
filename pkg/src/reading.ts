// The public API of `agentwire/reader`.

import type { AgentwireSource } from "./body.js";
import { AnyDecoder } from "./decoder.js";
import type { DefaultProtocol } from "./generated.js";
import type { DecoderOptions } from "./options.js";
import type { AnyProtocol } from "./outcome.js";
import { ALL } from "./protocols.js";
import { type AgentStream, type ReadOptions, streamOf } from "./read.js";
import { isReady } from "./wasm.js";

export * from "./neutral.js";
export * from "./several.js";
export { connect } from "./protocol_connect.js";
export type { ConnectInputs, ConnectOptions } from "./protocol_connect.js";
export { EventDecoder, events, pendingToolCalls, toolCalls, warm } from "./any.js";

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

/** Returns whether streams can be read: immediately in Node and workers, after `init()` in a page. */
export function ready(): boolean {
  return isReady(ALL);
}
