// The parts of the platform's API that the runs service uses. Types only.

/** The result of a statement. */
export interface SqlCursor<Row> extends Iterable<Row> {
  toArray(): Row[];
  one(): Row;
  readonly rowsWritten: number;
}

export type SqlValue = string | number | null | ArrayBuffer;

/** The SQLite of one object. */
export interface Sql {
  exec<Row = Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): SqlCursor<Row>;
}

/** The storage of an object. */
export interface Storage {
  readonly sql: Sql;
  /** Runs `work` in a transaction. The writes are on the disk after `sync`. */
  transactionSync<T>(work: () => T): T;
  sync(): Promise<void>;
  setAlarm(at: number): Promise<void>;
  /** Returns the time of the alarm, in milliseconds since 1970. */
  getAlarm(): Promise<number | null>;
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

/** An object in a bucket. */
export interface StoredObject {
  readonly size: number;
  readonly httpEtag: string;
  readonly httpMetadata?: { readonly contentType?: string };
}

/** A multipart upload. */
export interface Upload {
  uploadPart(number: number, bytes: Uint8Array): Promise<{ readonly partNumber: number; readonly etag: string }>;
  complete(parts: readonly { readonly partNumber: number; readonly etag: string }[]): Promise<unknown>;
  abort(): Promise<void>;
}

/** A bucket of R2. */
export interface Bucket {
  createMultipartUpload(path: string, options: { httpMetadata: { contentType: string } }): Promise<Upload>;
  put(path: string, bytes: Uint8Array, options: { httpMetadata: { contentType: string } }): Promise<unknown>;
  head(path: string): Promise<StoredObject | null>;
  get(path: string, options?: { range: { offset: number; length: number } }): Promise<(StoredObject & { readonly body: ReadableStream }) | null>;
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
