import * as agentwire from "agentwire";
import { programsWith } from "./programs.mjs";

export default programsWith(agentwire);
