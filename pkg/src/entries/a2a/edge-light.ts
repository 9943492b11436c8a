// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Vercel's edge runtime and Next's: ready at import. They compile wasm only when it is built into the function, which `?module` asks for.

import { bind } from "../../a2a.js";
import module from "../../a2a.wasm?module";
import { A2A } from "../../a2a/protocol.js";
import { install } from "../../wasm.js";

export * from "../../a2a/reading.js";

install(bind, [A2A], module);
