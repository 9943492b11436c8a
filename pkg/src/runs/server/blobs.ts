// The stores of attachments: memory, a folder, a bucket of R2, and a bucket of S3.

import { AgentwireError, must } from "../../core/errors.js";
import { builtinModule } from "../../core/optional_package.js";
import type { Awaitable } from "../../stores/log_store.js";

/** A part of a blob, in bytes. */
export interface BlobRange {
  readonly offset: number;
  readonly length: number;
}

/** The properties of a blob. */
export interface BlobHead {
  /** Bytes. */
  readonly size: number;
  /** The media type. */
  readonly type: string;
  /** The entity tag, with its quotes. */
  readonly etag: string;
}

/**
 * A store of blobs. The service calls it only with paths of the form that it has issued:
 * `<folder>/<name>.<extension>` of letters, digits, `-` and `_` ({@link isBlobPath}), whatever a
 * client sends.
 */
export interface BlobStore {
  put(path: string, bytes: Uint8Array<ArrayBuffer>, type: string): Awaitable<unknown>;
  head(path: string): Awaitable<BlobHead | undefined>;
  /** Returns the bytes of a blob, or a part of them. */
  get(
    path: string,
    range?: BlobRange,
  ): Awaitable<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | undefined>;
  delete(path: string): Awaitable<unknown>;
}

/** Returns a store in memory, for tests. */
export function memoryBlobs(): BlobStore {
  const blobs = new Map<string, BlobHead & { readonly bytes: Uint8Array<ArrayBuffer> }>();
  return {
    put: (path, bytes, type) =>
      blobs.set(path, {
        bytes: bytes.slice(),
        size: bytes.length,
        type,
        etag: `"${crypto.randomUUID()}"`,
      }),
    head: (path) => blobs.get(path),
    get: (path, range) => {
      const { bytes } = blobs.get(path) ?? {};
      return (
        bytes &&
        (range === undefined ? bytes : bytes.slice(range.offset, range.offset + range.length))
      );
    },
    delete: (path) => blobs.delete(path),
  };
}

/** The used part of `node:fs/promises`. */
interface FilePromises {
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  open(
    path: string,
    flags: "r",
  ): Promise<{
    read(
      buffer: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): Promise<{ readonly bytesRead: number }>;
    stat(): Promise<{ readonly size: number; readonly mtimeMs: number }>;
    close(): Promise<void>;
  }>;
  writeFile(path: string, bytes: Uint8Array, options: { flush: true }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: true }): Promise<void>;
}

/** Returns whether a text has the form of the paths that the service issues. */
export function isBlobPath(path: string): boolean {
  return /^[\w-]{1,64}\/[\w-]{1,64}\.\w{1,8}$/.test(path);
}

/** The media types of the extensions of attachments. */
const TYPES: { readonly [extension: string]: string } = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/**
 * Returns a store in a folder, which Node, Deno or Bun creates.
 *
 * @throws AgentwireError `wrong-option` on other platforms
 */
export function folderBlobs(folder: string): BlobStore {
  const files = builtinModule<FilePromises>("node:fs/promises");
  must(files !== undefined, "wrong-option", "folderBlobs(): this platform has no file system");
  const at = (path: string): string => {
    must(isBlobPath(path), "wrong-argument", `${path} is not the path of an attachment`);
    return `${folder}/${path}`;
  };
  /** Opens a file; returns undefined if it is missing. */
  const opened = (path: string) =>
    files.open(at(path), "r").catch((error: { readonly code?: string }) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") {
        return undefined;
      }
      throw error;
    });
  const head = async (path: string): Promise<BlobHead | undefined> => {
    const file = isBlobPath(path) ? await opened(path) : undefined;
    if (file === undefined) {
      return undefined;
    }
    const { size, mtimeMs } = await file.stat().finally(() => file.close());
    const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return { size, type, etag: `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"` };
  };
  return {
    async put(path, bytes) {
      const [target, temporary] = [at(path), `${at(path)}.${crypto.randomUUID()}`];
      await files.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
      try {
        await files.writeFile(temporary, bytes, { flush: true });
        await files.rename(temporary, target);
      } catch (error) {
        await files.rm(temporary, { force: true });
        throw error;
      }
    },
    head,
    async get(path, range) {
      const file = await opened(path);
      if (file === undefined) {
        return undefined;
      }
      let position = range?.offset ?? 0;
      const end = range === undefined ? Infinity : range.offset + range.length;
      return new ReadableStream({
        async pull(out) {
          const chunk = new Uint8Array(Math.min(64 * 1024, end - position));
          const { bytesRead } =
            chunk.length === 0
              ? { bytesRead: 0 }
              : await file.read(chunk, 0, chunk.length, position);
          if (bytesRead === 0) {
            await file.close();
            return out.close();
          }
          position += bytesRead;
          out.enqueue(chunk.subarray(0, bytesRead));
        },
        cancel: () => file.close(),
      });
    },
    delete: (path) => files.rm(at(path), { force: true }),
  };
}

/** The used part of a bucket of R2. */
export interface R2Bucket {
  put(
    path: string,
    bytes: Uint8Array,
    options: { httpMetadata: { contentType: string } },
  ): Promise<unknown>;
  head(path: string): Promise<R2Object | null>;
  get(
    path: string,
    options?: { range: BlobRange },
  ): Promise<{ readonly body: ReadableStream<Uint8Array> } | null>;
  delete(path: string): Promise<unknown>;
}

interface R2Object {
  readonly size: number;
  readonly httpEtag: string;
  readonly httpMetadata?: { readonly contentType?: string } | undefined;
}

/** Returns a store in a bucket of R2. */
export function r2Blobs(bucket: R2Bucket): BlobStore {
  return {
    put: (path, bytes, contentType) => bucket.put(path, bytes, { httpMetadata: { contentType } }),
    async head(path) {
      const found = await bucket.head(path);
      return found === null
        ? undefined
        : {
            size: found.size,
            type: found.httpMetadata?.contentType ?? "application/octet-stream",
            etag: found.httpEtag,
          };
    },
    get: async (path, range) => (await bucket.get(path, range && { range }))?.body,
    delete: (path) => bucket.delete(path),
  };
}

/** The options of {@link s3Blobs}. */
export interface S3Options {
  /**
   * The address of the bucket, such as `https://bucket.s3.eu-central-1.amazonaws.com` or
   * `http://localhost:9000/bucket`.
   */
  readonly bucket: string | URL;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** The region: by default that of the address, if it is one of AWS, or `us-east-1`. */
  readonly region?: string | undefined;
}

/**
 * Returns a store in a bucket of S3, or of a server with the same protocol. It needs the package
 * `aws4fetch`, which signs the requests and is an optional peer dependency.
 *
 * @throws AgentwireError `wrong-option` if the address is invalid
 */
export function s3Blobs({ bucket, region, ...credentials }: S3Options): BlobStore {
  must(
    URL.canParse(String(bucket)),
    "wrong-option",
    "s3Blobs(): option `bucket` is the address of a bucket",
  );
  const base = String(bucket).replace(/\/+$/, "");
  let opening: Promise<(path: string, init: RequestInit) => Promise<Response>> | undefined;
  const open = async () => {
    let aws;
    // Bundlers accept that a package is missing if its import is inside `try`.
    try {
      aws = await import("aws4fetch");
    } catch (cause) {
      throw new AgentwireError(
        "wrong-option",
        "s3Blobs(): the package `aws4fetch` is not installed",
        { cause },
      );
    }
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const client = new aws.AwsClient({
      accessKeyId,
      secretAccessKey,
      service: "s3",
      retries: 2,
      ...(sessionToken && { sessionToken }),
      ...(region && { region }),
    });
    return (path: string, init: RequestInit) => client.fetch(`${base}/${path}`, init);
  };
  /** Sends a request; returns undefined if the blob does not exist. */
  const ask = async (
    method: string,
    path: string,
    init: RequestInit = {},
  ): Promise<Response | undefined> => {
    const response = await (await (opening ??= open()))(path, { method, ...init });
    if (!response.ok && response.status !== 404) {
      throw new Error(
        `the bucket has answered ${response.status}: ${(await response.text()).slice(0, 500)}`,
      );
    }
    if (!response.ok || method === "PUT" || method === "DELETE") {
      await response.body?.cancel();
    }
    return response.ok ? response : undefined;
  };
  return {
    async put(path, bytes, type) {
      if (
        (await ask("PUT", path, { body: bytes, headers: { "content-type": type } })) === undefined
      ) {
        throw new Error("the bucket does not exist");
      }
    },
    async head(path) {
      const headers = (await ask("HEAD", path))?.headers;
      return (
        headers && {
          size: Number(headers.get("content-length")),
          type: headers.get("content-type") ?? "application/octet-stream",
          etag: headers.get("etag") ?? "",
        }
      );
    },
    async get(path, range) {
      const headers = range && {
        range: `bytes=${range.offset}-${range.offset + range.length - 1}`,
      };
      const response = await ask("GET", path, headers && { headers });
      if (range !== undefined && response?.status === 200) {
        await response.body?.cancel();
        throw new Error("the bucket has answered with the whole blob instead of a range");
      }
      return response?.body ?? undefined;
    },
    delete: (path) => ask("DELETE", path),
  };
}
