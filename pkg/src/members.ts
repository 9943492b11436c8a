// Access to properties of free JSON by names from the network.

import type { Draft } from "./tables.js";

/** Returns an own property, so that names such as `constructor` or `__proto__` do not reach the prototype. */
export function member(object: Draft, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets an own property with any name. */
export function put(object: Draft, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}
