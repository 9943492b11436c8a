// The ids of conversations in the bodies of requests.

/** Returns a text of a body, which is JSON; undefined if there is none. */
export function textIn(body: string, member: string): string | undefined {
  try {
    const value: unknown = (JSON.parse(body) as { readonly [member: string]: unknown })[member];
    return typeof value === "string" && value !== "" ? value : undefined;
  } catch {
    // The adapter refuses the body.
    return undefined;
  }
}
