// A stream in the fragment of the page's address, which is not sent to a server.

import { joinBytes } from "./ndjson.js";
import { type ProtocolOption, protocolOptionOf } from "./protocols.js";
import type { Recording } from "./recording.js";
import type { RequestSource } from "./source.js";

/** The maximum number of characters: mail and chat programs cut longer addresses. */
const LONGEST = 30_000;
/** The maximum number of bytes of a decompressed link. */
const LARGEST = 8 * 1024 * 1024;

/** The state in a link. */
export interface LinkState {
  readonly content:
    | { readonly sample: string }
    | { readonly stream: Uint8Array<ArrayBuffer> }
    | { readonly request: RequestSource };
  readonly protocol: ProtocolOption;
  /** The position in the stream; null for its end. */
  readonly position: number | null;
}

/** Returns the address of a recording at a position; null if it is too large for a link. */
export async function linkTo(recording: Recording, position: number): Promise<string | null> {
  const { source } = recording.origin;
  const content =
    source?.kind === "sample" ? ["sample", source.file] : ["stream", await packed(recording.bytes)];
  return addressOf(
    content,
    recording.protocolOption,
    position === recording.rows.length ? null : position,
  );
}

/**
 * Returns the address of a request, which the reader of the link can send; null if it is too large.
 */
export async function linkToRequest({
  url,
  method,
  headers,
  body,
}: RequestSource): Promise<string | null> {
  const open = headers.filter(([name]) => !isSecret(name));
  const content = [
    "request",
    await packed(new TextEncoder().encode(JSON.stringify({ url, method, headers: open, body }))),
  ];
  return addressOf(content, "auto", null);
}

/** Returns the state in an address; null without one. Throws if it is damaged. */
export async function linkedIn(fragment: string): Promise<LinkState | null> {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const protocol = protocolOptionOf(parameters.get("as") ?? "auto");
  const at = parameters.get("at");
  const position = at === null ? null : Number(at);
  const [sample, stream, request] = ["sample", "stream", "request"].map((name) =>
    parameters.get(name),
  );
  if (sample) {
    return { content: { sample }, protocol, position };
  }
  if (stream) {
    return { content: { stream: await unpacked(stream) }, protocol, position };
  }
  return request
    ? {
        content: {
          request: requestOf(JSON.parse(new TextDecoder().decode(await unpacked(request)))),
        },
        protocol,
        position,
      }
    : null;
}

/** Returns whether a header may contain a credential. Links and exported files omit those. */
export function isSecret(name: string): boolean {
  return /authorization|cookie|key|token|secret|password|session|signature/i.test(name);
}

function addressOf(
  content: string[],
  protocol: ProtocolOption,
  position: number | null,
): string | null {
  const parameters = new URLSearchParams([content as [string, string]]);
  if (protocol !== "auto") {
    parameters.set("as", protocol);
  }
  if (position !== null) {
    parameters.set("at", String(position));
  }
  const fragment = String(parameters);
  return fragment.length > LONGEST ? null : `${location.href.replace(/#.*/s, "")}#${fragment}`;
}

/** Parses a request. A link is untrusted: its request is shown, and not sent. */
function requestOf(value: unknown): RequestSource {
  const { url, method, headers, body } = Object(value) as Record<string, unknown>;
  const list = Array.isArray(headers)
    ? headers.filter(
        (header): header is [string, string] =>
          Array.isArray(header) && header.every((text) => typeof text === "string"),
      )
    : [];
  return {
    kind: "request",
    url: String(url ?? ""),
    method: String(method ?? "POST"),
    headers: list,
    body: String(body ?? ""),
  };
}

async function packed(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([bytes.slice()])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const compressed = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(compressed, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

async function unpacked(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")),
    (character) => character.charCodeAt(0),
  );
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of new Blob([compressed])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))) {
    parts.push(part);
    length += part.length;
    if (length > LARGEST) {
      throw new Error("it is larger than 8 MB");
    }
  }
  return joinBytes(parts);
}
