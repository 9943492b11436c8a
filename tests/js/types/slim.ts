// The slim entry has everything, and its `init` needs a source.
import { type Outcome, Decoder, init, read } from "agentwire/slim";
import module from "agentwire/agentwire.wasm";

export async function slim(): Promise<Outcome> {
  await init(module);
  await init(fetch("/agentwire.wasm"));
  // @ts-expect-error
  await init();
  new Decoder().free();
  return read(fetch("/process")).finished();
}
