import * as agentwire from "agentwire";
import { readWith } from "./page.mjs";

await readWith(agentwire);
