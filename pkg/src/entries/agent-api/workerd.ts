// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../agent-api.js";
import module from "../../agent-api.wasm";
import { AGENT_API } from "../../agent_api/protocol.js";
import { install } from "../../wasm.js";

export * from "../../agent_api/reading.js";

install(bind, [AGENT_API], module);
