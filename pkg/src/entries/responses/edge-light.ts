// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Vercel's edge runtime and Next's: ready at import. They compile wasm only when it is built into the function, which `?module` asks for.

import { bind } from "../../responses.js";
import module from "../../responses.wasm?module";
import { RESPONSES } from "../../responses/protocol.js";
import { install } from "../../wasm.js";

export * from "../../responses/reading.js";

install(bind, [RESPONSES], module);
