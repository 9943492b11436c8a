import * as agentwire from "agentwire";
import { readWith } from "./reading.mjs";

await readWith(agentwire);
