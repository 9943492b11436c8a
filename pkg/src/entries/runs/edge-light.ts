// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Vercel's edge runtime and Next's: ready at import. They compile wasm only when it is built into the function, which `?module` asks for.

import { bind } from "../../runs.js";
import module from "../../runs.wasm?module";
import { AG_UI } from "../../runs/protocol.js";
import { install } from "../../wasm.js";

export * from "../../runs/reading.js";

install(bind, [AG_UI], module);
