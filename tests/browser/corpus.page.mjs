// Reads what the test hands it, in a page, and says what is wrong with what it read.
import * as agentwire from "agentwire";
import { complaints } from "../node/corpus.mjs";

await agentwire.init();

globalThis.complaintsAbout = ({ stream, ...wanted }) =>
  complaints(agentwire, { ...wanted, stream: Uint8Array.from(stream) });
