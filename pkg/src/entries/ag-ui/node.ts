// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Node, Deno, Bun: ready at import. The wasm is inlined, so that no bundler and no file tracing can lose it.

import { bind } from "../../ag-ui.js";
import base64 from "../../ag-ui.inline.js";
import { AG_UI } from "../../ag_ui/protocol.js";
import { expectCheapCalls } from "../../text.js";
import { install } from "../../wasm.js";
import { bytesOf } from "../base64.js";

export * from "../../ag_ui/reading.js";

expectCheapCalls();
install(bind, [AG_UI], bytesOf(base64));
