// The writer of events of any protocol, for the entry points that have all of them.

import type { Protocol } from "./core/outcome.js";
import { ALL } from "./generated/registry/protocols.js";
import { AnyEventWriter, type EventWriterOptions } from "./read/event_writer.js";

/** {@link AnyEventWriter} for any protocol. */
export class EventWriter<P extends Protocol> extends AnyEventWriter<P> {
  /** @throws AgentwireError `wrong-argument`, `wrong-option` or `unknown-protocol` */
  constructor(options: EventWriterOptions<P> & { readonly protocol: P }) {
    super(ALL, options);
  }
}
