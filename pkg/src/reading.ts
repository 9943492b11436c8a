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
 * Reads an agent's answer.
 *
 * @param source a response (or the promise of one), a stream of bytes, or anything that yields bytes
 */
export function read<P extends AnyProtocol = DefaultProtocol>(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  options: ReadOptions<P> = {},
): AgentStream<P> {
  return streamOf(ALL, source, options);
}

/** {@link AnyDecoder}, of any protocol. */
export class Decoder<P extends AnyProtocol = DefaultProtocol> extends AnyDecoder<P> {
  /** Throws an `AgentwireError` with code `wrong-argument`, `wrong-option` or `unknown-protocol`. */
  constructor(options: DecoderOptions<P> = {}) {
    super(ALL, options);
  }
}

/** Whether streams can be read: at once in Node and workers, after `init()` in a page. */
export function ready(): boolean {
  return isReady(ALL);
}
