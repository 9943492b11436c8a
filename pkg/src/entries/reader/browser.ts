// Pages: the wasm is a chunk of its own, compressed, which the first `init()` loads. Importing this does nothing.

import { bind } from "../../reader.js";
import { init as declared, load } from "../../wasm.js";
import { unpacked } from "../base64.js";
import { isAddress, streamed } from "../streamed.js";

export * from "../../reading.js";

export const init: typeof declared = (source) =>
  load(bind, () => (isAddress(source) ? streamed(source, inlined) : (source ?? inlined())));

async function inlined(): Promise<Response> {
  const { default: base64 } = await import("../../reader.packed.js");
  return unpacked(base64);
}
