// The entry of the worker: the module that the runtime has compiled, and the bindings that wasm-bindgen has made for it
// (`--target bundler`, of which only the glue is used).
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
