// A content as an event: what stands in messages, too, with its `object`. Types only.

import type { AgentApiEvent } from "./events.js";

/** A piece of a content (`delta`), or all of it. */
export type WireContent = Extract<AgentApiEvent, { readonly object: "content" }>;
