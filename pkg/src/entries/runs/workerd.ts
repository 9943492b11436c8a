// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../runs.js";
import module from "../../runs.wasm";
import { AG_UI } from "../../runs/protocol.js";
import { install } from "../../wasm.js";

export * from "../../runs/reading.js";

install(bind, [AG_UI], module);
