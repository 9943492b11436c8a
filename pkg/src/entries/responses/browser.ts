// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Pages: the first `init()` loads the wasm, which is a separate compressed chunk. The import itself has no side effects.

import { bind } from "../../responses.js";
import { RESPONSES } from "../../responses/protocol.js";
import { preparedBy } from "../../connect/connection.js";
import { connect as connected } from "../../responses/reading.js";
import { type init as declared, load } from "../../wasm.js";
import { inPage } from "../page.js";

export * from "../../responses/reading.js";

export const init: typeof declared = (source) => load(bind, [RESPONSES], () => inPage(source, () => import("../../responses.packed.js")));

/** Connects to an agent, as in Node. The first request calls `init()` and waits for it. */
export const connect: typeof connected = (...given) => preparedBy(init, connected(...given));
