// The parts of the platform's API that the worker uses. Types only.

import type { DurableStorage, SqlValue } from "agentwire/runs/server";

/** The result of a statement. */
export interface SqlCursor<Row> extends Iterable<Row> {
  toArray(): Row[];
}

/** The storage of an object. */
export interface Storage extends DurableStorage {
  readonly sql: { exec<Row = Record<string, SqlValue>>(query: string, ...bindings: (SqlValue | ArrayBuffer)[]): SqlCursor<Row> };
  deleteAll(): Promise<void>;
}

/** An object's state. */
export interface ObjectState {
  readonly storage: Storage;
  waitUntil(work: Promise<unknown>): void;
}

/** Methods as remote callers use them. */
export type Remote<T> = { [K in keyof T]: T[K] extends (...given: infer G) => infer R ? (...given: G) => Promise<Awaited<R>> : never };

/** Objects by name. */
export interface Objects<T> {
  getByName(name: string): Remote<T> & { fetch(url: string | Request, init?: RequestInit): Promise<Response> };
}

/** Another service. */
export interface Service {
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

/** The platform's own models. */
export interface Models {
  run(model: string, input: { readonly audio: string }): Promise<unknown>;
}

/** A rate limit by key. */
export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}
