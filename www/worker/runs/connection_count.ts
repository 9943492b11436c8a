// Sends the number of a thread's connections to the object of their user.

import { RENEWAL } from "./leases.js";

/** Milliseconds in which changes are sent together. */
const MOMENT = 50;

/** Sends the number when it has changed, and renews it as long as there are connections. */
export class ConnectionCount {
  readonly #count: () => number;
  readonly #send: (count: number) => void;
  #sending: ReturnType<typeof setTimeout> | undefined;
  #renewing: ReturnType<typeof setTimeout> | undefined;

  constructor(count: () => number, send: (count: number) => void) {
    this.#count = count;
    this.#send = send;
  }

  /** Sends the number soon, once for all changes within `MOMENT`. */
  changed(): void {
    this.#sending ??= setTimeout(() => {
      this.#sending = undefined;
      this.#send(this.#count());
      this.renew();
    }, MOMENT);
  }

  /** Sends the number again before it expires. */
  renew(): void {
    if (this.#count() > 0) {
      this.#renewing ??= setTimeout(() => {
        this.#renewing = undefined;
        this.changed();
      }, RENEWAL);
    }
  }
}
