// The page of runs: connects the core and the thread.

import { init, version } from "agentwire/runs";
import { byId, complain } from "../dom.js";
import { setUpTheme } from "../theme.js";
import { ThreadPage } from "./thread_page.js";

setUpTheme();
const core = byId("core");
try {
  await init();
  core.textContent = `core ${version()}`;
  new ThreadPage();
  document.body.classList.add("ready");
} catch (error) {
  core.textContent = "no core";
  complain(
    `The WebAssembly core did not load: ${error instanceof Error ? error.message : String(error)}. A content security policy has to allow 'wasm-unsafe-eval'.`,
  );
  document.body.classList.add("broken");
}
