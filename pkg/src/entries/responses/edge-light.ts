// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../responses.js";
import module from "../../responses.wasm?module";
import { RESPONSES } from "../../responses/protocol.js";
import { install } from "../../wasm.js";

export * from "../../responses/reading.js";

install(bind, [RESPONSES], module);
