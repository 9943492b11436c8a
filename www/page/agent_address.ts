// The address of the worker: next to the page, at another origin, or none. `www/build.mjs` writes
// it into the page.

/** The address of the worker, with a slash at its end; null without a worker. */
export const WORKER: URL | null = workerOf(
  document.querySelector<HTMLMetaElement>('meta[name="agentwire-worker"]')?.content,
);

/** A request, and whether the worker sends it. */
export interface Target {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly isProxied: boolean;
}

/** Returns the address of a path of the worker. */
export function workerUrl(path: string): string {
  return new URL(path.replace(/^\//, ""), WORKER ?? document.baseURI).href;
}

/** Returns the request to an address, or to the proxy of the worker. */
export function requestOf({ isProxied, url, method, headers, body }: Target): Request {
  if (!isProxied) {
    return new Request(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: method === "GET" ? null : body,
    });
  }
  return new Request(workerUrl("proxy"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url, method, headers, body }),
  });
}

/** Returns whether the worker forwards requests. */
export async function hasProxy(): Promise<boolean> {
  try {
    const isBeside = WORKER?.origin === location.origin;
    const { proxy } = isBeside
      ? ((await (await fetch(workerUrl("proxy"))).json()) as { readonly proxy?: unknown })
      : { proxy: "off" };
    return proxy !== "off";
  } catch {
    return false;
  }
}

function workerOf(content: string | undefined): URL | null {
  return content === "none" ? null : new URL(content || "./", document.baseURI);
}
