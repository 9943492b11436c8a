// The WebAssembly of a module, as the platform provides it: see `imports` of package.json.

declare module "#wasm/*" {
  const wasm: import("./core/load.js").PackagedWasm;
  export default wasm;
}
