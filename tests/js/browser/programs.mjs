// A page that reads the programs, and returns the errors.
import { complaintsAbout } from "../support/builder_programs.mjs";

export async function programsWith(agentwire) {
  await agentwire.init();
  globalThis.complaints = async () =>
    complaintsAbout(agentwire, await (await fetch("programs.jsonl.gz")).arrayBuffer());
}
