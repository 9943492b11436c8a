// Identifies the user of a request by a JSON Web Token, in the `authorization` header or in a
// cookie.

import { AgentwireError, must } from "../../core/errors.js";
import { isForeign } from "./foreign.js";

/** The options of {@link jwtUsers}: one of `secret` and `jwksUrl` is required. */
export interface JwtOptions {
  /** The secret of HS256 tokens. */
  readonly secret?: string | undefined;
  /**
   * The address of the issuer's public keys (a JSON Web Key Set), for RS256, PS256, ES256 and
   * EdDSA. The keys are cached.
   */
  readonly jwksUrl?: string | URL | undefined;
  /** The required `iss`. */
  readonly issuer?: string | undefined;
  /** The required `aud`. */
  readonly audience?: string | undefined;
  /** The seconds by which clocks may differ: 30 by default. */
  readonly clockToleranceSeconds?: number | undefined;
  /**
   * The name of a cookie with the token, for requests without an `authorization` header. Requests
   * of pages of other origins are not identified by it.
   */
  readonly cookie?: string | undefined;
}

/**
 * Returns an `authenticate` function for tokens with a `sub`, which is the user, and an `exp`. It
 * needs the package `jose`, which is an optional peer dependency: only services that verify tokens
 * install it.
 *
 * ```js
 * const handler = createHandler({ store, agent, authenticate: jwtUsers({ jwksUrl: "https://issuer.example/jwks.json", audience: "chat" }) });
 * ```
 *
 * @throws AgentwireError `wrong-option` without a secret and without an address
 */
export function jwtUsers({
  secret,
  jwksUrl,
  issuer,
  audience,
  clockToleranceSeconds = 30,
  cookie,
}: JwtOptions): (request: Request) => Promise<string | undefined> {
  must(
    !secret !== (jwksUrl === undefined),
    "wrong-option",
    "jwtUsers(): one of the options `secret` and `jwksUrl` is required",
  );
  const options = {
    algorithms: secret ? ["HS256"] : ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"],
    requiredClaims: ["sub", "exp"],
    clockTolerance: clockToleranceSeconds,
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  };
  let verifying: Promise<(token: string) => Promise<unknown>> | undefined;
  const verifier = async (): Promise<(token: string) => Promise<unknown>> => {
    let jose;
    // Bundlers accept that a package is missing if its import is inside `try`.
    try {
      jose = await import("jose");
    } catch (cause) {
      throw new AgentwireError("wrong-option", "jwtUsers(): the package `jose` is not installed", {
        cause,
      });
    }
    const { createRemoteJWKSet, jwtVerify } = jose;
    const keys = jwksUrl === undefined ? undefined : createRemoteJWKSet(new URL(jwksUrl));
    const bytes = new TextEncoder().encode(secret);
    return async (token) =>
      (
        await (keys === undefined
          ? jwtVerify(token, bytes, options)
          : jwtVerify(token, keys, options))
      ).payload.sub;
  };
  return async (request) => {
    const token = tokenOf(request, cookie);
    if (token === undefined) {
      return undefined;
    }
    const verify = await (verifying ??= verifier());
    try {
      const user = await verify(token);
      return typeof user === "string" && user !== "" ? user : undefined;
    } catch (error) {
      // A token that is not valid. Errors of the key set are the service's.
      if (/^ERR_(JWT|JWS|JOSE_ALG|JOSE_NOT|JWKS_NO_MATCHING)/.test(String(Object(error).code))) {
        return undefined;
      }
      throw error;
    }
  };
}

function tokenOf(request: Request, cookie: string | undefined): string | undefined {
  const { headers } = request;
  const header = headers.get("authorization");
  if (header !== null) {
    return /^Bearer +(\S+)$/i.exec(header)?.[1];
  }
  // A page of another origin must not act as the user.
  return cookie === undefined || isForeign(request) ? undefined : cookieOf(headers, cookie);
}

/** Returns the value of a cookie. */
export function cookieOf(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
