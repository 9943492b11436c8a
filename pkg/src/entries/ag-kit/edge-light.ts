// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../ag-kit.js";
import module from "../../ag-kit.wasm?module";
import { AG_KIT } from "../../ag_kit/protocol.js";
import { install } from "../../wasm.js";

export * from "../../ag_kit/reading.js";

install(bind, [AG_KIT], module);
