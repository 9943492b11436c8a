// Platform types that some declaration sets lack: those of Node have no `HeadersInit` and no
// `WebAssembly`. Types only.

/** The values that `new Headers()` accepts. */
export type HeadersLike = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** Whether a request includes cookies. */
export type Credentials = "include" | "omit" | "same-origin";

/** Bytes in memory. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** A compiled module; any object if the platform's declarations have no such type. */
export type WasmModule = typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Module } };
}
  ? Module
  : object;

/** A value, or a promise of one. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The memory of an instance. */
export interface Memory {
  readonly buffer: ArrayBuffer;
}
