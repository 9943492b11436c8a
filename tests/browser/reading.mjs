// A page that reads what the test hands it, and says what is wrong with what it read.
import { complaints } from "../node/corpus.mjs";

export async function readWith(agentwire) {
  await agentwire.init();
  globalThis.complaintsAbout = ({ stream, ...wanted }) =>
    complaints(agentwire, { ...wanted, stream: Uint8Array.from(stream) });
}
