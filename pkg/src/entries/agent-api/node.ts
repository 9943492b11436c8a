// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Node, Deno, Bun: ready at import. The wasm is inlined, so that no bundler and no file tracing can lose it.

import { bind } from "../../agent-api.js";
import base64 from "../../agent-api.inline.js";
import { AGENT_API } from "../../agent_api/protocol.js";
import { expectCheapCalls } from "../../text.js";
import { install } from "../../wasm.js";
import { bytesOf } from "../base64.js";

export * from "../../agent_api/reading.js";

expectCheapCalls();
install(bind, [AGENT_API], bytesOf(base64));
