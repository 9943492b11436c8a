import * as agentwire from "./node_modules/agentwire/dist/entries/agentwire/slim.js";
import { exercise } from "./exercise.mjs";

globalThis.outcome = agentwire
  .init(fetch("./node_modules/agentwire/dist/agentwire.wasm"))
  .then(() => exercise(agentwire));
