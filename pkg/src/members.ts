// Members of free JSON, by names that come from the network.

import type { Draft } from "./tables.js";

/** An own member: names come from the network, and `constructor` or `__proto__` must not lead elsewhere. */
export function member(object: Draft, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets an own member, whatever its name. */
export function put(object: Draft, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}
