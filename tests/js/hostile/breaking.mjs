// Ways to break a call into the module from outside: exhausted memory, a wrong address, a panic.
import { core } from "../../../pkg/build/core/wasm.js";

/** Allocates all memory that the instance can still get, so that later large allocations fail. */
export function exhaust() {
  const { memory } = core();
  for (let pages = 1024; pages > 0; ) {
    try {
      memory.grow(pages);
    } catch {
      pages = Math.floor(pages / 2);
    }
  }
}

/** Makes the next call of that method of the bindings use an invalid address. */
export function derail(name, method, address) {
  const { prototype } = core().bindings[name];
  const original = prototype[method];
  prototype[method] = function (...args) {
    prototype[method] = original;
    const right = this.__wbg_ptr;
    this.__wbg_ptr = address;
    try {
      return original.apply(this, args);
    } finally {
      this.__wbg_ptr = right;
    }
  };
}

/**
 * Makes the next call of that method of the bindings panic: it requests an impossible amount of
 * memory.
 */
export function panic(name, method) {
  const { bindings } = core();
  const { prototype } = bindings[name];
  const original = prototype[method];
  prototype[method] = () => {
    prototype[method] = original;
    new bindings.Exchange(2 ** 32 - 1);
  };
}
