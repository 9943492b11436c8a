// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../a2a.js";
import module from "../../a2a.wasm";
import { A2A } from "../../a2a/protocol.js";
import { install } from "../../wasm.js";

export * from "../../a2a/reading.js";

install(bind, [A2A], module);
