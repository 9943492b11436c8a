import * as agentwire from "agentwire/reader";
import { exercise } from "./exercise.mjs";

globalThis.outcome = agentwire.init().then(() => exercise(agentwire));
