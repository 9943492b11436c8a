// The connection of the events, which the user of this page can cut.

/** An event of the connection. */
export interface LineEvent {
  readonly kind: "asked" | "open" | "lost" | "refused";
  readonly text: string;
}

/** A `fetch` whose responses can be cut off. */
export class Line {
  readonly #report: (event: LineEvent) => void;
  #open: AbortController | null = null;
  #offline = false;

  constructor(report: (event: LineEvent) => void) {
    this.#report = report;
  }

  /** Whether an answer is arriving. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** While it is offline, requests fail. */
  set offline(offline: boolean) {
    this.#offline = offline;
    if (offline) {
      this.cut();
    }
  }

  /** Cuts the connection, without an orderly end. */
  cut(): void {
    this.#open?.abort();
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const after = new Headers(init.headers).get("last-event-id");
    this.#report({
      kind: "asked",
      text:
        after === null
          ? "asked for the run from its beginning"
          : `asked for what came after ${after}`,
    });
    if (this.#offline) {
      this.#report({ kind: "lost", text: "there is no network" });
      throw new TypeError("there is no network");
    }
    const controller = new AbortController();
    this.#open = controller;
    const signal = AbortSignal.any([controller.signal, ...(init.signal ? [init.signal] : [])]);
    try {
      const response = await fetch(input, { ...init, signal });
      if (response.status !== 200 || response.body === null) {
        this.#close(
          controller,
          response.status === 204 ? "open" : "refused",
          `answered ${response.status}`,
        );
        return response;
      }
      this.#report({ kind: "open", text: "connected" });
      return new Response(this.#watched(response.body, controller, init.signal), response);
    } catch (error) {
      this.#close(controller, "lost", controller.signal.aborted ? "cut" : "no answer");
      throw error;
    }
  };

  /** Returns a stream of the same bytes that reports its end. */
  #watched(
    body: ReadableStream<Uint8Array>,
    controller: AbortController,
    left: AbortSignal | null | undefined,
  ): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream({
      pull: async (out) => {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            return out.enqueue(value);
          }
          this.#close(controller, "open", "the answer is over");
          out.close();
        } catch (error) {
          // A connection that this page aborted is not reported as lost.
          if (left?.aborted) {
            this.#forget(controller);
          } else {
            this.#close(controller, "lost", "the connection was cut");
          }
          out.error(error);
        }
      },
      cancel: (reason) => {
        this.#forget(controller);
        return reader.cancel(reason);
      },
    });
  }

  /** Reports the end, once for each connection. */
  #close(controller: AbortController, kind: LineEvent["kind"], text: string): void {
    if (this.#open === controller) {
      this.#open = null;
      this.#report({ kind, text });
    }
  }

  #forget(controller: AbortController): void {
    if (this.#open === controller) {
      this.#open = null;
    }
  }
}
