// The same with the module that only reads.
import * as agentwire from "agentwire/reader";
import { programsWith } from "./programs.mjs";

await programsWith(agentwire);
