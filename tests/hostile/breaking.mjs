// Ways to break a call into the module from outside: no memory is left, an address is wrong, a panic.
import { core } from "../../pkg/dist/core/wasm.js";

/** Takes all the memory that the instance could still get: after that an allocation of a large piece fails. */
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

/** Makes the next call of that method of the bindings receive an invalid address. */
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

/** Makes the next call of that method of the bindings panic: it requests more memory than can exist. */
export function panic(name, method) {
  const { bindings } = core();
  const { prototype } = bindings[name];
  const original = prototype[method];
  prototype[method] = () => {
    prototype[method] = original;
    new bindings.Exchange(2 ** 32 - 1);
  };
}
