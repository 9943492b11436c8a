import * as agentwire from "agentwire";
import { exercise } from "./exercise.mjs";

// Ready at import, so before `init`; `init` still exists, for code that runs in every environment.
const before = exercise(agentwire);
await agentwire.init();
console.log(JSON.stringify([before, exercise(agentwire)]));
