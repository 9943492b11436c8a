// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../agentwire.js";
import module from "../../agentwire.wasm?module";
import { ALL } from "../../protocols.js";
import { install } from "../../wasm.js";

export * from "../../index.js";

install(bind, ALL, module);
