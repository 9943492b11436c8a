// Addresses of attachments in messages: signed again when they are read, because a signature is valid for a short time only.

import type { RunInputMessage, RunInputPart } from "agentwire/runs";
import { OBJECT, addressOf, folderOf } from "./attachments.js";
import type { RunsEnv } from "./env.js";

/** Returns the address with a new signature. */
export type Renew = (url: string) => Promise<string>;

/**
 * Returns a function that signs addresses of a user's attachments again, of any host, for the endpoints at `base`. Other addresses do
 * not change.
 */
export async function renewing(env: RunsEnv, user: string, base: string): Promise<Renew> {
  const folder = await folderOf(user);
  return async (url) => {
    const at = URL.canParse(url, base) ? new URL(url, base) : undefined;
    const path = at?.pathname.endsWith(OBJECT) ? at.searchParams.get("path") : null;
    // Only the folder proves that the attachment is the user's: the rest of the address may be forged.
    return env.SIGNING_SECRET && path?.startsWith(`${folder}/`) ? addressOf(path, env, base) : url;
  };
}

/** Returns a message of a request with new addresses in its parts. */
export async function withNewLinks(message: RunInputMessage, renew: Renew): Promise<RunInputMessage> {
  if (message.role !== "user" || typeof message.content === "string") {
    return message;
  }
  const parts = message.content.map(async (part): Promise<RunInputPart> => {
    if (part.type === "binary" && part.url) {
      return { ...part, url: await renew(part.url) };
    }
    return part.type === "image" ? { ...part, source: { ...part.source, value: await renew(part.source.value) } } : part;
  });
  return { ...message, content: await Promise.all(parts) };
}
