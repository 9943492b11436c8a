// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Node, Deno, Bun: ready at import. The wasm is inlined, so that no bundler and no file tracing can lose it.

import { bind } from "../../responses.js";
import base64 from "../../responses.inline.js";
import { RESPONSES } from "../../responses/protocol.js";
import { expectCheapCalls } from "../../text.js";
import { install } from "../../wasm.js";
import { bytesOf } from "../base64.js";

export * from "../../responses/reading.js";

expectCheapCalls();
install(bind, [RESPONSES], bytesOf(base64));
