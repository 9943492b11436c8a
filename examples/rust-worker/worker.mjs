// The entry point of the worker: the wasm module, which the runtime compiles, and its bindings by
// wasm-bindgen
// (`--target bundler`, of which only the glue code is used).
import * as glue from "./rust_worker_bg.js";
import module from "./rust_worker_bg.wasm";

const instance = new WebAssembly.Instance(module, { "./rust_worker_bg.js": glue });
glue.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

export default {
  async fetch(request) {
    if (request.method !== "POST") {
      return new Response("POST a question", { status: 405 });
    }
    try {
      return await glue.fetch(request);
    } catch (error) {
      return new Response(String(error?.message ?? error), { status: 422 });
    }
  },
};
