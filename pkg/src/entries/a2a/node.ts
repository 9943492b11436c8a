// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Node, Deno, Bun: ready at import. The wasm is inlined, so that no bundler and no file tracing can lose it.

import { bind } from "../../a2a.js";
import base64 from "../../a2a.inline.js";
import { A2A } from "../../a2a/protocol.js";
import { expectCheapCalls } from "../../text.js";
import { install } from "../../wasm.js";
import { bytesOf } from "../base64.js";

export * from "../../a2a/reading.js";

expectCheapCalls();
install(bind, [A2A], bytesOf(base64));
