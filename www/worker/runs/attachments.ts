// Images of the user: stored in R2, read under signed addresses.

import { runsRefusal } from "agentwire/runs/server";
import { type RunsEnv, timeoutOf } from "./env.js";
import { readForm } from "./form.js";
import { hashOf } from "./hash.js";
import { Parts } from "./parts.js";
import { rangeOf } from "./range.js";
import { isSigned, signed } from "./signing.js";
import { ENOUGH, imageType } from "./sniff.js";

/** The public name of the bucket. */
const BUCKET = "attachments";
/** The path of signed addresses, below the endpoints. */
export const OBJECT = "/attachments/object";

const CODES = {
  tooLarge: "AGENT_ATTACHMENT_TOO_LARGE",
  empty: "AGENT_ATTACHMENT_EMPTY",
  unsupported: "AGENT_ATTACHMENT_UNSUPPORTED_TYPE",
};

/** Answers `POST /attachments`, without the address of the endpoints. */
export async function upload(
  request: Request,
  env: RunsEnv,
  user: string,
  mayWrite: (threadId: string) => Promise<void>,
  base: string,
): Promise<{ readonly bucket: string; readonly path: string; readonly mimeType: string; readonly url: string }> {
  const folder = await folderOf(user);
  let head = new Uint8Array(0);
  let parts: Parts | undefined;
  let [path, type] = ["", ""];
  const begin = (): Parts => {
    const image = imageType(head);
    if (image === undefined) {
      throw runsRefusal(CODES.unsupported, "an attachment is a PNG, JPEG, GIF or WebP image, by its content");
    }
    [path, type] = [`${folder}/${crypto.randomUUID()}.${image.extension}`, image.type];
    return new Parts(env.ATTACHMENTS, path, type);
  };
  const take = async (bytes: Uint8Array): Promise<void> => {
    if (parts !== undefined) {
      return stored(() => parts!.write(bytes));
    }
    head = joined(head, bytes);
    if (head.length >= ENOUGH) {
      parts = begin();
      await stored(() => parts!.write(head));
    }
  };
  try {
    const { fields } = await readForm(request, "file", CODES, timeoutOf(env), take);
    const threadId = fields.get("threadId");
    if (threadId === undefined) {
      throw runsRefusal("AGENT_SESSION_ID_INVALID", "the form has no `threadId`");
    }
    await mayWrite(threadId);
    // A file that is shorter than any image is refused here.
    const whole = parts ?? begin();
    await stored(() => whole.end());
  } catch (error) {
    await parts?.abort().catch(() => {});
    throw error;
  }
  const mimeType = type;
  return { bucket: BUCKET, path, mimeType, url: await addressOf(path, env, base) };
}

/** Answers `GET /attachments/signed-url`. */
export async function signAgain(
  query: URLSearchParams,
  env: RunsEnv,
  user: string,
  base: string,
): Promise<{ readonly bucket: string; readonly path: string; readonly url: string }> {
  const [bucket, path] = [query.get("bucket"), query.get("path")];
  if (bucket === null || path === null) {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", "`bucket` and `path` say which attachment");
  }
  if (!path.startsWith(`${await folderOf(user)}/`)) {
    throw runsRefusal("AGENT_FORBIDDEN", "the attachment is somebody else's");
  }
  if (bucket !== BUCKET || (await stored(() => env.ATTACHMENTS.head(path))) === null) {
    throw runsRefusal("AGENT_ATTACHMENT_NOT_FOUND", "there is no such attachment");
  }
  return { bucket, path, url: await addressOf(path, env, base) };
}

/** Answers a request for a signed address. */
export async function serve(request: Request, env: RunsEnv): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const [path, expires, signature] = ["path", "expires", "signature"].map((name) => query.get(name) ?? "") as [string, string, string];
  if (!(await isSigned({ path, expires, signature }, secretOf(env)))) {
    throw runsRefusal("AGENT_SIGNATURE_INVALID", "the address is not signed, or its time is over");
  }
  const found = await stored(() => env.ATTACHMENTS.head(path));
  if (found === null) {
    throw runsRefusal("AGENT_ATTACHMENT_NOT_FOUND", "there is no such attachment");
  }
  const { size, httpEtag } = found;
  const headers = new Headers({
    "content-type": found.httpMetadata?.contentType ?? "application/octet-stream",
    "accept-ranges": "bytes",
    etag: httpEtag,
    "cache-control": "private, max-age=3600, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
  });
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(httpEtag) || known.includes("*")) {
    return new Response(null, { status: 304, headers });
  }
  const condition = request.headers.get("if-range");
  const range = condition === null || condition === httpEtag ? rangeOf(request.headers.get("range"), size) : undefined;
  if (range === "outside") {
    const refusal = runsRefusal("AGENT_RANGE_INVALID", "the attachment has nothing there");
    return refusal.toResponse({ "content-range": `bytes */${size}` });
  }
  const object = await stored(() => env.ATTACHMENTS.get(path, range && { range }));
  if (object === null) {
    throw runsRefusal("AGENT_ATTACHMENT_NOT_FOUND", "there is no such attachment");
  }
  headers.set("content-length", String(range?.length ?? size));
  if (range !== undefined) {
    headers.set("content-range", `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`);
  }
  return new Response(request.method === "HEAD" ? null : object.body, { status: range === undefined ? 200 : 206, headers });
}

/** Returns a signed address of an attachment. */
export async function addressOf(path: string, env: RunsEnv, base: string): Promise<string> {
  return `${base}${OBJECT}?${await signed(path, secretOf(env))}`;
}

function secretOf({ SIGNING_SECRET }: RunsEnv): string {
  if (!SIGNING_SECRET) {
    throw runsRefusal("AGENT_STORAGE_UNAVAILABLE", "the service has no secret to sign addresses with");
  }
  return SIGNING_SECRET;
}

/** Returns a user's folder in the bucket. The name does not reveal the user. */
export async function folderOf(user: string): Promise<string> {
  return (await hashOf(user)).slice(0, 32);
}

async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    console.error(error);
    throw runsRefusal("AGENT_STORAGE_UNAVAILABLE", "the storage does not answer");
  }
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}
