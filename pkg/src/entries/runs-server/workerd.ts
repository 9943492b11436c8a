// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../agentwire.js";
import module from "../../agentwire.wasm";
import { ALL } from "../../protocols.js";
import { install } from "../../wasm.js";

export * from "../../runs/server.js";

install(bind, ALL, module);
