// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

// Pages: the first `init()` loads the wasm, which is a separate compressed chunk. The import itself has no side effects.

import { bind } from "../../ag-kit.js";
import { AG_KIT } from "../../ag_kit/protocol.js";
import { preparedBy } from "../../connect/connection.js";
import { connect as connected } from "../../ag_kit/reading.js";
import { type init as declared, load } from "../../wasm.js";
import { inPage } from "../page.js";

export * from "../../ag_kit/reading.js";

export const init: typeof declared = (source) => load(bind, [AG_KIT], () => inPage(source, () => import("../../ag-kit.packed.js")));

/** Connects to an agent, as in Node. The first request calls `init()` and waits for it. */
export const connect: typeof connected = (...given) => preparedBy(init, connected(...given));
