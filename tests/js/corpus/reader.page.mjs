// The same with the module that only reads.
import * as agentwire from "agentwire/reader";
import { readWith } from "./page.mjs";

await readWith(agentwire);
