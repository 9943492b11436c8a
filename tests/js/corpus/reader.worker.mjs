// The same with the module that only reads.
import * as agentwire from "agentwire/reader";
import { workerOf } from "./worker.mjs";

export default workerOf(agentwire);
