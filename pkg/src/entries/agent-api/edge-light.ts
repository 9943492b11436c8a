// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../agent-api.js";
import module from "../../agent-api.wasm?module";
import { AGENT_API } from "../../agent_api/protocol.js";
import { install } from "../../wasm.js";

export * from "../../agent_api/reading.js";

install(bind, [AGENT_API], module);
