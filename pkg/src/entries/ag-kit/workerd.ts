// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../ag-kit.js";
import module from "../../ag-kit.wasm";
import { AG_KIT } from "../../ag_kit/protocol.js";
import { install } from "../../wasm.js";

export * from "../../ag_kit/reading.js";

install(bind, [AG_KIT], module);
