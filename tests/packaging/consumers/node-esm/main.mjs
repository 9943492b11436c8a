import * as agentwire from "agentwire";
import { exercise } from "./exercise.mjs";

// Ready at import, so before `init`; and `init` is there all the same, for code that runs everywhere.
const before = exercise(agentwire);
await agentwire.init();
console.log(JSON.stringify([before, exercise(agentwire)]));
