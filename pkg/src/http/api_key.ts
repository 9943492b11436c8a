// The key of a client of a model's API.

/**
 * Returns the key that a client has sent: in the header `Authorization: Bearer …`, or in `x-api-key`
 * as clients of Anthropic Messages do. Undefined if there is none.
 *
 * ```js
 * createHandler({ agent, authenticate: (request) => userOfKey(apiKeyOf(request)) });
 * ```
 */
export function apiKeyOf({ headers }: { readonly headers: Headers }): string | undefined {
  const [scheme = "", key] = (headers.get("authorization") ?? "").trim().split(/ +/);
  const bearer = scheme.toLowerCase() === "bearer" ? key : undefined;
  return bearer || headers.get("x-api-key")?.trim() || undefined;
}
