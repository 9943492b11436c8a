// A page that reads the cases and the programs of the test, and returns the errors.
import { complaints } from "../node/support/corpus.mjs";
import { misshapen } from "../node/support/shapes.mjs";
import { complaintsAbout } from "../support/builder_programs.mjs";
// Written by the test that bundles this.
import * as shapes from "../../../node_modules/.shapes/shapes.mjs";

export async function readWith(agentwire) {
  await agentwire.init();
  globalThis.complaintsAboutCase = ({ stream, ...rest }) => {
    const wanted = { ...rest, stream: Uint8Array.from(stream) };
    return [...complaints(agentwire, wanted), ...misshapen(agentwire, shapes, wanted)];
  };
  globalThis.complaintsAboutPrograms = async () =>
    complaintsAbout(agentwire, await (await fetch("programs.jsonl.gz")).arrayBuffer());
}
