// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Node, Deno, Bun: ready at import. The wasm is inlined, so that no bundler and no file tracing can lose it.

import { bind } from "../../agentwire.js";
import base64 from "../../agentwire.inline.js";
import { ALL } from "../../protocols.js";
import { expectCheapCalls } from "../../text.js";
import { install } from "../../wasm.js";
import { bytesOf } from "../base64.js";

export * from "../../server.js";

expectCheapCalls();
install(bind, ALL, bytesOf(base64));
