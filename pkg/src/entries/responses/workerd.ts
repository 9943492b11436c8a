// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../responses.js";
import module from "../../responses.wasm";
import { RESPONSES } from "../../responses/protocol.js";
import { install } from "../../wasm.js";

export * from "../../responses/reading.js";

install(bind, [RESPONSES], module);
