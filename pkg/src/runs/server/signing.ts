// Addresses that are valid for some time, without a token: signed by HMAC over the purpose, the
// expiry and the subject.

import { refuseUnless } from "./refusal.js";

/** The seconds for which an address is valid. */
const LIFE = 3600;

/** Returns the `expires` (seconds since 1970) and `signature` of an address. */
export async function signed(
  purpose: string,
  subject: string,
  secret: string,
): Promise<{ readonly expires: string; readonly signature: string }> {
  const expires = String(Math.floor(Date.now() / 1000) + LIFE);
  const signature = await crypto.subtle.sign(
    "HMAC",
    await keyOf(secret, "sign"),
    bytesOf(purpose, expires, subject),
  );
  return { expires, signature: hex(signature) };
}

/** Returns whether the signature of a query is valid and not expired. */
export async function isSigned(
  purpose: string,
  subject: string,
  query: URLSearchParams,
  secret: string,
): Promise<boolean> {
  const [expires, signature] = [query.get("expires") ?? "", query.get("signature") ?? ""];
  if (
    !/^[0-9a-f]{64}$/.test(signature) ||
    !/^\d{1,12}$/.test(expires) ||
    Number(expires) * 1000 < Date.now()
  ) {
    return false;
  }
  const bytes = Uint8Array.from(signature.match(/../g)!, (digits) => Number.parseInt(digits, 16));
  return crypto.subtle.verify(
    "HMAC",
    await keyOf(secret, "verify"),
    bytes,
    bytesOf(purpose, expires, subject),
  );
}

/** Returns the secret of a service; throws a refusal if it has none. */
export function secretOf(secret: string | undefined): string {
  refuseUnless(
    secret,
    "AGENT_STORAGE_UNAVAILABLE",
    "the service has no secret to sign addresses with",
  );
  return secret;
}

/** Returns the SHA-256 hash of a text, in hexadecimal digits. */
export async function hashOf(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function keyOf(secret: string, usage: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    [usage],
  );
}

function bytesOf(purpose: string, expires: string, subject: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${purpose}\n${expires}\n${subject}`);
}
