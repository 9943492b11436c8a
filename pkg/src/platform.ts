// Types of the platform that not every set of declarations has: those of Node know no `HeadersInit` and no `WebAssembly`. Types only.

/** What headers are made of. */
export type HeadersLike = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** Whether cookies go along with a request. */
export type Credentials = "include" | "omit" | "same-origin";

/** Bytes in memory. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** A compiled module; any object where the platform's declarations have none. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

/** The memory of an instance. */
export interface Memory {
  readonly buffer: ArrayBuffer;
}
