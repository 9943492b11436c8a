import * as agentwire from "agentwire";
import { answerWith } from "./reading.mjs";

export default answerWith(agentwire);
