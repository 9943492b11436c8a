// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../ag-ui.js";
import module from "../../ag-ui.wasm?module";
import { AG_UI } from "../../ag_ui/protocol.js";
import { install } from "../../wasm.js";

export * from "../../ag_ui/reading.js";

install(bind, [AG_UI], module);
