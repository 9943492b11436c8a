// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../runs.js";
import module from "../../runs.wasm?module";
import { AG_UI } from "../../runs/protocol.js";
import { install } from "../../wasm.js";

export * from "../../runs/reading.js";

install(bind, [AG_UI], module);
