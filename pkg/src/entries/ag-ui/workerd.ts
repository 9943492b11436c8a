// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../ag-ui.js";
import module from "../../ag-ui.wasm";
import { AG_UI } from "../../ag_ui/protocol.js";
import { install } from "../../wasm.js";

export * from "../../ag_ui/reading.js";

install(bind, [AG_UI], module);
