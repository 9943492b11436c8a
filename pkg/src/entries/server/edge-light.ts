// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Vercel's edge runtime and Next's: ready at import. They compile wasm only when it is built into the function, which `?module` asks for.

import { bind } from "../../agentwire.js";
import module from "../../agentwire.wasm?module";
import { ALL } from "../../protocols.js";
import { install } from "../../wasm.js";

export * from "../../server.js";

install(bind, ALL, module);
