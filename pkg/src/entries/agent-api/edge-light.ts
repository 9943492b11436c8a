// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Vercel's edge runtime and Next's: ready at import. They compile wasm only when it is built into the function, which `?module` asks for.

import { bind } from "../../agent-api.js";
import module from "../../agent-api.wasm?module";
import { AGENT_API } from "../../agent_api/protocol.js";
import { install } from "../../wasm.js";

export * from "../../agent_api/reading.js";

install(bind, [AGENT_API], module);
