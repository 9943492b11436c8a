// Uploads files, and checks them before.

import { AgentwireError, must } from "../core/errors.js";
import type { Credentials } from "../core/platform.js";

/** The options of an upload. Everything is optional. */
export interface UploadOptions {
  /**
   * Called with the share that was sent, from 0 to 1: continuously in pages, elsewhere only at the
   * start and at the end.
   */
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The response to an upload. */
interface UploadResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;

/** Throws an error if a file cannot be sent as an image. */
export function mustBeImage(file: Blob): void {
  mustBe(file, /^image\/./i, "an image");
}

/** Throws an error if a file cannot be sent as a recording. */
export function mustBeRecording(file: Blob): void {
  mustBe(file, /^audio\/(x-wav|wave?)\s*(;|$)/i, "a WAV recording");
}

function mustBe(file: Blob, type: RegExp, what: string): void {
  must(type.test(file.type), "bad-request", `what is sent is ${what}, not of type "${file.type}"`);
  must(
    file.size > 0 && file.size <= MAX_UPLOAD_BYTES,
    "bad-request",
    `${what} has 1 to ${MAX_UPLOAD_BYTES} bytes, not ${file.size}`,
  );
}

/** Sends a form. Pages use `XMLHttpRequest` to report the progress, because `fetch` cannot. */
export async function sendForm(
  url: string,
  form: FormData,
  headers: Headers,
  isPlatforms: boolean,
  ask: typeof fetch,
  credentials: Credentials | undefined,
  { onProgress, signal }: UploadOptions,
): Promise<UploadResponse> {
  onProgress?.(0);
  if (onProgress !== undefined && typeof XMLHttpRequest === "function" && isPlatforms) {
    return byXhr(url, form, headers, credentials === "include", onProgress, signal);
  }
  const response = await ask(url, {
    method: "POST",
    body: form,
    headers,
    ...(signal && { signal }),
    ...(credentials && { credentials }),
  });
  onProgress?.(1);
  return { status: response.status, headers: response.headers, body: await response.text() };
}

function byXhr(
  url: string,
  form: FormData,
  headers: Headers,
  withCredentials: boolean,
  onProgress: (share: number) => void,
  signal: AbortSignal | undefined,
): Promise<UploadResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.withCredentials = withCredentials;
    headers.forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      onProgress(1);
      if (new URL(request.responseURL || url).origin !== new URL(url).origin) {
        return reject(
          new AgentwireError(
            "other-origin",
            `the upload was redirected to ${new URL(request.responseURL).origin}`,
          ),
        );
      }
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean);
      const pairs = lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(":")),
        line.slice(line.indexOf(":") + 1),
      ]);
      resolve({ status: request.status, headers: new Headers(pairs), body: request.responseText });
    };
    request.onerror = () => reject(new TypeError("the upload failed"));
    request.onabort = () =>
      reject(signal?.reason ?? new DOMException("the upload was aborted", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    if (signal?.aborted) {
      request.abort();
    } else {
      request.send(form);
    }
  });
}
