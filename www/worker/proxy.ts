// Forwards a request of the playground to a server that does not allow other pages. Off, unless the
// variable PROXY is set.

import { RequestError } from "agentwire";
import { readBody } from "agentwire/server";
import { jsonResponse } from "./replies.js";
import { isLoopback } from "./runs/auth.js";
import type { RateLimit } from "./runs/platform.js";

/** The path of the proxy. */
export const PROXY = "/proxy";

/** The configuration of the proxy. */
export interface ProxyEnv {
  /**
   * `public`: servers with a public name, over https. `loopback`: any server; only on a loopback
   * address. Absent: off.
   */
  readonly PROXY?: string;
  readonly RUNS_LIMIT?: RateLimit;
}

const LONGEST_REQUEST = 1024 * 1024;
const LONGEST_RESPONSE = 16 * 1024 * 1024;

/** Headers of the connection and of proxies, which a client must not set. */
const FORBIDDEN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|te|upgrade|keep-alive|trailer|expect|via|forwarded|origin|referer|cookie|(proxy|sec|cf|x-forwarded|x-real)-.*)$/i;

class RejectedRequest extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

interface Forwarded {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Headers;
  readonly body: string | null;
}

/**
 * Answers a request to the proxy: GET returns its mode, POST forwards a request of the same origin.
 */
export async function answerProxy(request: Request, env: ProxyEnv): Promise<Response> {
  const mode = modeOf(request, env);
  if (request.method === "GET") {
    return jsonResponse(200, { proxy: mode });
  }
  if (
    mode === "off" ||
    request.method !== "POST" ||
    request.headers.get("origin") !== new URL(request.url).origin
  ) {
    return jsonResponse(403, {
      detail: "the proxy is off, or the request is not from a page of this origin",
    });
  }
  const { success = true } =
    (await env.RUNS_LIMIT?.limit({
      key: `proxy ${request.headers.get("cf-connecting-ip") ?? ""}`,
    })) ?? {};
  if (!success) {
    return jsonResponse(429, { detail: "too many requests" }, { "retry-after": "10" });
  }
  try {
    const forwarded = forwardedOf(await readBody(request, { maxBodyBytes: LONGEST_REQUEST }), mode);
    return await forward(forwarded, request.signal);
  } catch (error) {
    if (error instanceof RejectedRequest || error instanceof RequestError) {
      return jsonResponse(error.status, { detail: error.message });
    }
    return jsonResponse(502, {
      detail: `the server could not be reached: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
}

/** A page that a foreign name leads to a loopback address must not reach the servers there. */
function modeOf({ url }: Request, { PROXY: configured }: ProxyEnv): "off" | "public" | "loopback" {
  return configured === "public" || (configured === "loopback" && isLoopback(url))
    ? configured
    : "off";
}

/**
 * The ends of names that resolve inside of a network only: reserved ones, and those of routers,
 * clusters and service directories.
 */
const INTERNAL =
  /(^|\.)(alt|arpa|box|cluster|consul|corp|dhcp|docker|domain|example|home|internal|intra|intranet|invalid|k8s|kube|lan|local|localdomain|localhost|mesh|nomad|onion|pod|private|router|svc|test|workgroup)$/;

/** The ends of public names that resolve to an address in the name, or to the loopback address. */
const NAMED_ADDRESS = /(^|\.)(nip\.io|sslip\.io|xip\.io|localtest\.me|lvh\.me|vcap\.me)$/;

/**
 * Returns whether a URL names a public server: https, the usual port, a name with a dot, no address
 * and no internal name.
 */
export function isPublic({ protocol, hostname, port, username, password }: URL): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  // Two dots at the end leave an empty label, with which a resolver may find the name without them.
  const isName = name.includes(".") && !name.split(".").includes("");
  const isAddress = name.startsWith("[") || /(^|\.)\d+$/.test(name) || NAMED_ADDRESS.test(name);
  return (
    protocol === "https:" &&
    port === "" &&
    username === "" &&
    password === "" &&
    isName &&
    !INTERNAL.test(name) &&
    !isAddress
  );
}

function forwardedOf(text: string, mode: "public" | "loopback"): Forwarded {
  const refuse = (detail: string): never => {
    throw new RejectedRequest(422, detail);
  };
  let input: { url?: unknown; method?: unknown; headers?: unknown; body?: unknown };
  try {
    input = Object(JSON.parse(text));
  } catch {
    return refuse("the body is not JSON");
  }
  const { url, method, headers = [], body = "" } = input;
  if (
    typeof url !== "string" ||
    !URL.canParse(url) ||
    typeof body !== "string" ||
    !Array.isArray(headers)
  ) {
    return refuse("expected { url, method, headers, body }");
  }
  const target = new URL(url);
  if (mode === "public" ? !isPublic(target) : !/^https?:$/.test(target.protocol)) {
    return refuse(
      "the proxy does not forward to this address: it forwards over https to servers with a public name",
    );
  }
  if (method !== "GET" && method !== "POST") {
    return refuse("the method is GET or POST");
  }
  const sent = new Headers();
  for (const header of headers) {
    const [name, value] = Array.isArray(header) ? header : [];
    if (typeof name !== "string" || typeof value !== "string" || FORBIDDEN_HEADERS.test(name)) {
      return refuse(`the header ${JSON.stringify(name ?? null)} is not forwarded`);
    }
    try {
      sent.append(name, value);
    } catch {
      return refuse(`the header ${JSON.stringify(name)} is not valid`);
    }
  }
  return { url: target, method, headers: sent, body: method === "GET" ? null : body };
}

/**
 * Sends the request. Redirects are not followed: their target was not checked. Cookies are neither
 * sent nor returned.
 */
async function forward({ url, ...init }: Forwarded, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new RejectedRequest(
      502,
      `the server redirects to ${response.headers.get("location")}: enter that address`,
    );
  }
  // A page that is opened at this address must not run as one of this origin.
  const headers = {
    "content-type": response.headers.get("content-type") ?? "application/octet-stream",
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
  return new Response(response.body?.pipeThrough(limited()) ?? null, {
    status: response.status,
    headers,
  });
}

/** Ends a longer response with an error. */
function limited(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > LONGEST_RESPONSE) {
        controller.error(new Error("the response is too long"));
      } else {
        controller.enqueue(chunk);
      }
    },
  });
}
