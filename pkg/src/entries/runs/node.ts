// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Node, Deno, Bun: ready at import. The wasm is inlined, so that no bundler and no file tracing can lose it.

import { bind } from "../../runs.js";
import base64 from "../../runs.inline.js";
import { AG_UI } from "../../runs/protocol.js";
import { expectCheapCalls } from "../../text.js";
import { install } from "../../wasm.js";
import { bytesOf } from "../base64.js";

export * from "../../runs/reading.js";

expectCheapCalls();
install(bind, [AG_UI], bytesOf(base64));
