// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Pages: the first `init()` loads the wasm, which is a separate compressed chunk. The import itself has no side effects.

import { bind } from "../../agentwire.js";
import { ALL } from "../../protocols.js";
import { type init as declared, load } from "../../wasm.js";
import { inPage } from "../page.js";

export * from "../../server.js";

export const init: typeof declared = (source) => load(bind, ALL, () => inPage(source, () => import("../../agentwire.packed.js")));
