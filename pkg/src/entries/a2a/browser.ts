// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Pages: the first `init()` loads the wasm, which is a separate compressed chunk. The import itself has no side effects.

import { bind } from "../../a2a.js";
import { A2A } from "../../a2a/protocol.js";
import { preparedBy } from "../../connect/connection.js";
import { connect as connected } from "../../a2a/reading.js";
import { type init as declared, load } from "../../wasm.js";
import { inPage } from "../page.js";

export * from "../../a2a/reading.js";

export const init: typeof declared = (source) => load(bind, [A2A], () => inPage(source, () => import("../../a2a.packed.js")));

/** Connects to an agent, as in Node. The first request calls `init()` and waits for it. */
export const connect: typeof connected = (...given) => preparedBy(init, connected(...given));
