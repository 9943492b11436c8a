import * as agentwire from "agentwire";
import { programsWith } from "./programs.mjs";

await programsWith(agentwire);
