// Addresses that are valid for some time, without a token: signed by HMAC over the method, the expiry and the path.

import { hex } from "./hash.js";

/** The seconds for which an address is valid. */
const LIFE = 3600;

/** The query of a signed address. */
export interface Signed {
  readonly path: string;
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

/** Returns the query of an address under which an object can be read. */
export async function signed(path: string, secret: string): Promise<URLSearchParams> {
  const expires = String(Math.floor(Date.now() / 1000) + LIFE);
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret, "sign"), bytesOf(path, expires));
  return new URLSearchParams({ path, expires, signature: hex(signature) });
}

/** Returns whether the signature is valid and not expired. */
export async function isSigned({ path, expires, signature }: Signed, secret: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature) || !/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < Date.now()) {
    return false;
  }
  const bytes = Uint8Array.from(signature.match(/../g)!, (digits) => Number.parseInt(digits, 16));
  return crypto.subtle.verify("HMAC", await keyOf(secret, "verify"), bytes, bytesOf(path, expires));
}

function keyOf(secret: string, usage: KeyUsage): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [usage]);
}

function bytesOf(path: string, expires: string): BufferSource {
  return new TextEncoder().encode(`GET\n${expires}\n${path}`);
}
