// Pages: the wasm is a chunk of its own, which the first `init()` loads. Importing this does nothing.

import * as bindings from "../../reader.js";
import { init as declared, load } from "../../wasm.js";
import { bytesOf } from "../base64.js";

export * from "../../reading.js";

export const init: typeof declared = (source) =>
  load(bindings, () => source ?? inlined());

async function inlined(): Promise<BufferSource> {
  const { default: base64 } = await import("../../reader.inline.js");
  return bytesOf(base64);
}
