// Ways to break a call into the module from outside: no memory is left, an address is wrong, a panic.
import { core } from "../../pkg/dist/wasm.js";

/** Takes all the memory that the instance could still get: then the next large piece that it needs is not to be had. */
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

/** The next call of that method of the bindings is given an address where there is nothing. */
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

/** The next call of that method of the bindings panics: it asks for more memory than there can be. */
export function panic(name, method) {
  const { bindings } = core();
  const { prototype } = bindings[name];
  const original = prototype[method];
  prototype[method] = () => {
    prototype[method] = original;
    new bindings.Exchange(2 ** 32 - 1);
  };
}
