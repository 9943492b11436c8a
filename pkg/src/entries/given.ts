import { AgentwireError } from "../errors.js";

/** Returns a rejected promise if `init` of an entry point without wasm was called without a source; otherwise undefined. */
export function given(entry: string, source: unknown): Promise<never> | undefined {
  return source === undefined
    ? Promise.reject(new AgentwireError("missing-argument", `${entry} carries no wasm: call init(source) with a module, bytes, or a response`))
    : undefined;
}
