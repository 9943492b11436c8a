// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../a2a.js";
import module from "../../a2a.wasm?module";
import { A2A } from "../../a2a/protocol.js";
import { install } from "../../wasm.js";

export * from "../../a2a/reading.js";

install(bind, [A2A], module);
