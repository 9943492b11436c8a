// The same with the module that only reads.
import * as agentwire from "agentwire/reader";
import { answerWith } from "./reading.mjs";

export default answerWith(agentwire);
