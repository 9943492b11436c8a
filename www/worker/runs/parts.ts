// Uploads a file to a bucket while it arrives, in parts.

import type { Bucket, Upload } from "./platform.js";

/** The number of bytes of every part but the last: R2 does not accept smaller ones. */
const PIECE = 5 * 1024 * 1024;

/** One object being written. At most one part of it is in memory. */
export class Parts {
  readonly #bucket: Bucket;
  readonly #path: string;
  readonly #type: string;
  readonly #uploaded: { readonly partNumber: number; readonly etag: string }[] = [];
  #upload: Upload | undefined;
  #kept: Uint8Array[] = [];
  #size = 0;

  constructor(bucket: Bucket, path: string, type: string) {
    this.#bucket = bucket;
    this.#path = path;
    this.#type = type;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + PIECE - this.#size);
      this.#kept.push(piece);
      this.#size += piece.length;
      at += piece.length;
      if (this.#size === PIECE) {
        await this.#send();
      }
    }
  }

  /** Completes the object, which can be read from then on. */
  async end(): Promise<void> {
    if (this.#upload === undefined) {
      await this.#bucket.put(this.#path, this.#taken(), this.#options);
      return;
    }
    if (this.#size > 0) {
      await this.#send();
    }
    await this.#upload.complete(this.#uploaded);
  }

  /** Aborts the upload and deletes its parts. */
  async abort(): Promise<void> {
    await this.#upload?.abort();
  }

  async #send(): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#path, this.#options);
    const number = this.#uploaded.length + 1;
    this.#uploaded.push(await this.#upload.uploadPart(number, this.#taken()));
  }

  #taken(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#kept) {
      bytes.set(piece, at);
      at += piece.length;
    }
    [this.#kept, this.#size] = [[], 0];
    return bytes;
  }

  get #options(): { httpMetadata: { contentType: string } } {
    return { httpMetadata: { contentType: this.#type } };
  }
}
