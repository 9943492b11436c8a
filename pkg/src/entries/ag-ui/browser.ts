// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Pages: the wasm is a chunk of its own, compressed, which the first `init()` loads. Importing this does nothing.

import { bind } from "../../ag-ui.js";
import { AG_UI } from "../../ag_ui/protocol.js";
import { type init as declared, load } from "../../wasm.js";
import { inPage } from "../page.js";

export * from "../../ag_ui/reading.js";

export const init: typeof declared = (source) => load(bind, [AG_UI], () => inPage(source, () => import("../../ag-ui.packed.js")));
