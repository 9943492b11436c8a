import * as agentwire from "agentwire";
import { exercise } from "./exercise.mjs";

globalThis.outcome = agentwire.init().then(() => exercise(agentwire));
