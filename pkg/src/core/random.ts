// Random numbers and ids.

/**
 * Returns a number that the server cannot predict, so that it cannot craft texts with equal
 * fingerprints.
 */
export function seed(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0]!;
}

/** Returns a new version 4 UUID. Unlike `crypto.randomUUID`, it also works on pages without TLS. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Matches a UUID of any version. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
