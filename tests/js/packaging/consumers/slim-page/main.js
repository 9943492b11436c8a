import * as agentwire from "./node_modules/agentwire/dist/slim/agentwire.js";
import { exercise } from "./exercise.mjs";

globalThis.outcome = agentwire
  .init(fetch("./node_modules/agentwire/dist/wasm/agentwire.wasm"))
  .then(() => exercise(agentwire));
