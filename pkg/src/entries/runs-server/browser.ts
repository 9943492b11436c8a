// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Pages: the wasm is a chunk of its own, compressed, which the first `init()` loads. Importing this does nothing.

import { bind } from "../../agentwire.js";
import { ALL } from "../../protocols.js";
import { type init as declared, load } from "../../wasm.js";
import { inPage } from "../page.js";

export * from "../../runs/server.js";

export const init: typeof declared = (source) => load(bind, ALL, () => inPage(source, () => import("../../agentwire.packed.js")));
