// The type of content events.

import type { AgentApiEvent } from "./events.js";

/** A content event: a delta (`delta: true`) or a whole content. */
export type WireContent = Extract<AgentApiEvent, { readonly object: "content" }>;
