// Images of users: stored as blobs, and read under signed addresses.

import type { Awaitable } from "../../core/platform.js";
import type { RunInputMessage, RunInputPart } from "../../agentwire.js";
import { parseJson } from "../../core/json.js";
import { runsRefusal } from "../service.js";
import { type BlobRange, type BlobStore, isBlobPath } from "./blobs.js";
import { refuseUnless } from "./refusal.js";
import { hashOf, isSigned, secretOf, signed } from "./signing.js";
import { storable } from "../../core/texts.js";
import { type UploadForm, imageType } from "./uploads.js";

/** The public name of the bucket. */
const BUCKET = "attachments";
/** The path of signed addresses, below the endpoints. */
export const OBJECT = "/attachments/object";

export const ATTACHMENT_CODES = {
  tooLarge: "AGENT_ATTACHMENT_TOO_LARGE",
  empty: "AGENT_ATTACHMENT_EMPTY",
  unsupported: "AGENT_ATTACHMENT_UNSUPPORTED_TYPE",
};

/** The attachments of a service. */
export class Attachments {
  readonly #blobs: BlobStore | undefined;
  readonly #secret: string | undefined;
  readonly #onError: (error: unknown) => void;

  /** Without `blobs` or a `secret`, requests are refused as if the storage did not answer. */
  constructor(
    blobs: BlobStore | undefined,
    secret: string | undefined,
    onError: (error: unknown) => void,
  ) {
    [this.#blobs, this.#secret, this.#onError] = [blobs, secret, onError];
  }

  /** Stores the file of a form; `base` is the URL of the endpoints. */
  async store({ file }: UploadForm, user: string, base: string) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const image = imageType(bytes);
    refuseUnless(
      image !== undefined,
      ATTACHMENT_CODES.unsupported,
      "an attachment is a PNG, JPEG, GIF or WebP image, by its content",
    );
    const path = `${await folderOf(user)}/${crypto.randomUUID()}.${image.extension}`;
    // First, because an attachment without an address is lost.
    const url = await this.#address(path, base);
    await this.#stored((blobs) => blobs.put(path, bytes, image.type));
    return { bucket: BUCKET, path, mimeType: image.type, url };
  }

  /** Returns a new address of an attachment. */
  async sign(query: URLSearchParams, user: string, base: string) {
    const [bucket, path] = [query.get("bucket"), query.get("path")];
    refuseUnless(
      bucket !== null && path !== null,
      "AGENT_PAYLOAD_INVALID",
      "the query has the `bucket` and the `path` of the attachment",
    );
    refuseUnless(
      path.startsWith(`${await folderOf(user)}/`),
      "AGENT_FORBIDDEN",
      "the attachment belongs to another user",
    );
    if (
      bucket !== BUCKET ||
      !isBlobPath(path) ||
      (await this.#stored((blobs) => blobs.head(path))) === undefined
    ) {
      throw noAttachment();
    }
    return { bucket, path, url: await this.#address(path, base) };
  }

  /**
   * Deletes a user's attachments in messages: all that can be deleted; throws a refusal if others
   * remain.
   */
  async delete(messages: readonly string[], user: string): Promise<void> {
    if (this.#blobs === undefined) {
      return;
    }
    const folder = await folderOf(user);
    const paths = new Set<string>();
    for (const message of messages) {
      await mapAddresses(parseJson(message) as unknown as RunInputMessage, async (url) => {
        const path = pathIn(folder, url);
        if (path !== undefined) {
          paths.add(path);
        }
        return url;
      });
    }
    let failure: unknown;
    for (const path of paths) {
      await this.#stored((blobs) => blobs.delete(path)).catch(
        (error: unknown) => (failure = error),
      );
    }
    if (failure !== undefined) {
      throw failure;
    }
  }

  /** Answers a request for a signed address. */
  async serve(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const path = query.get("path") ?? "";
    refuseUnless(
      isBlobPath(path) && (await isSigned("GET", path, query, secretOf(this.#secret))),
      "AGENT_SIGNATURE_INVALID",
      "the address is not signed, or has expired",
    );
    const found = await this.#stored((blobs) => blobs.head(path));
    if (found === undefined) {
      throw noAttachment();
    }
    const { size, type, etag } = found;
    const headers = new Headers({
      "content-type": type,
      "accept-ranges": "bytes",
      etag,
      "cache-control": "private, max-age=3600, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
    });
    const known = (request.headers.get("if-none-match") ?? "")
      .split(",")
      .map((tag) => tag.trim().replace(/^W\//, ""));
    if (known.includes(etag) || known.includes("*")) {
      return new Response(null, { status: 304, headers });
    }
    const condition = request.headers.get("if-range");
    const range =
      condition === null || condition === etag
        ? rangeOf(request.headers.get("range"), size)
        : undefined;
    if (range === "outside") {
      return runsRefusal(
        "AGENT_RANGE_INVALID",
        "the range is outside of the attachment",
      ).toResponse({ "content-range": `bytes */${size}` });
    }
    headers.set("content-length", String(range?.length ?? size));
    if (range !== undefined) {
      headers.set(
        "content-range",
        `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`,
      );
    }
    const status = range === undefined ? 200 : 206;
    if (request.method === "HEAD") {
      return new Response(null, { status, headers });
    }
    const body = await this.#stored((blobs) => blobs.get(path, range));
    if (body === undefined) {
      throw noAttachment();
    }
    return new Response(body, { status, headers });
  }

  /**
   * Returns a function that signs addresses of a user's attachments again, of any host, for the
   * endpoints at `base`. Other addresses do not change.
   */
  async renewing(user: string, base: string): Promise<(url: string) => Promise<string>> {
    const folder = await folderOf(user);
    return async (url) => {
      const path = pathIn(folder, url);
      return this.#secret && path !== undefined ? this.#address(path, base) : url;
    };
  }

  async #address(path: string, base: string): Promise<string> {
    return `${base}${OBJECT}?${new URLSearchParams({ path, ...(await signed("GET", path, secretOf(this.#secret))) })}`;
  }

  async #stored<T>(work: (blobs: BlobStore) => Awaitable<T>): Promise<T> {
    try {
      if (this.#blobs !== undefined) {
        return await work(this.#blobs);
      }
    } catch (error) {
      this.#onError(error);
    }
    throw runsRefusal("AGENT_STORAGE_UNAVAILABLE", "the storage of attachments does not answer");
  }
}

/**
 * Returns the path in the address of an attachment, of any host, if it is one of this folder. The
 * rest of an address may be forged.
 */
function pathIn(folder: string, url: string): string | undefined {
  const at = URL.canParse(url, "http://host") ? new URL(url, "http://host") : undefined;
  const path = at?.pathname.endsWith(OBJECT) ? (at.searchParams.get("path") ?? "") : "";
  return path.startsWith(`${folder}/`) && isBlobPath(path) ? path : undefined;
}

/** Returns a message of a request with other addresses in its parts. */
export async function mapAddresses(
  message: RunInputMessage,
  renew: (url: string) => Promise<string>,
): Promise<RunInputMessage> {
  if (message.role !== "user" || typeof message.content === "string") {
    return message;
  }
  const parts = message.content.map(async (part): Promise<RunInputPart> => {
    if (part.type === "binary" && part.url) {
      return { ...part, url: await renew(part.url) };
    }
    return part.type === "image"
      ? { ...part, source: { ...part.source, value: await renew(part.source.value) } }
      : part;
  });
  return { ...message, content: await Promise.all(parts) };
}

const noAttachment = () => runsRefusal("AGENT_ATTACHMENT_NOT_FOUND", "there is no such attachment");

/** Returns a user's folder. The name does not reveal the user. */
async function folderOf(user: string): Promise<string> {
  return (await hashOf(storable(user))).slice(0, 32);
}

/**
 * Parses the requested range (RFC 9110, 14): one range; several are ignored. Returns undefined
 * without a range, and `"outside"` for a range beyond the end.
 */
export function rangeOf(header: string | null, size: number): BlobRange | "outside" | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) {
    return undefined;
  }
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "outside" : { offset: size - length, length };
  }
  const [offset, last] = [Number(from), to === "" ? size - 1 : Math.min(Number(to), size - 1)];
  if (offset >= size) {
    return "outside";
  }
  return last < offset ? undefined : { offset, length: last - offset + 1 };
}
