import { AgentwireError } from "../errors.js";

/** The refusal of an `init` that was given no wasm, by an entry that has none; undefined if it was given some. */
export function given(entry: string, source: unknown): Promise<never> | undefined {
  return source === undefined
    ? Promise.reject(new AgentwireError("missing-argument", `${entry} carries no wasm: call init(source) with a module, bytes, or a response`))
    : undefined;
}
