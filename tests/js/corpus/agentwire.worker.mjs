import * as agentwire from "agentwire";
import { workerOf } from "./worker.mjs";

export default workerOf(agentwire);
