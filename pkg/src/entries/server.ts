// `agentwire/server` with its WebAssembly.

import { bind } from "../agentwire.js";
import wasm from "#wasm/agentwire";
import { initOf } from "../core/load.js";
import { ALL } from "../generated/registry/protocols.js";

export * from "../server.js";

/**
 * Initializes the WebAssembly module, once; concurrent and later calls share the work. Node, Deno,
 * Bun and Cloudflare-style workers are ready without it, so code that calls it runs everywhere.
 *
 * @param source the WebAssembly; that of the package by default. In a page also a URL, from which
 * it is compiled while it arrives, in half the time; if the URL does not provide it, that of the
 * package is used
 */
export const init = initOf(bind, ALL, wasm);
