// Converting a stream between protocols.

import { must } from "../core/errors.js";
import { type Conversion, type ConvertOptions, Converter } from "./converter.js";

/** A transform stream from one protocol to another. */
export interface ConvertStream {
  /** The bytes of the target protocol. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The sink for the bytes of the source protocol. */
  readonly writable: WritableStream<Uint8Array>;
  /**
   * Resolves to the losses and the report of the source when the stream was closed, canceled or
   * aborted. Rejects with the error of a custom protocol's function.
   */
  readonly done: Promise<Conversion>;
}

/**
 * Returns a transform stream that converts an agent's stream to another protocol.
 *
 * ```js
 * const headers = { "content-type": "application/json" };
 * const answer = await fetch("https://agent.example/answer", { method: "POST", headers, body });
 * return new Response(answer.body.pipeThrough(convert({ from: "auto", to })), { headers: sseHeaders() });
 * ```
 *
 * The readable side always ends with the target's terminal event. If the connection of the source
 * breaks, the readable side does not fail; the converted response ends as incomplete.
 */
export function convert(options: ConvertOptions): ConvertStream {
  const converter = new Converter(options);
  let settle!: (conversion: Conversion) => void;
  let reject!: (error: unknown) => void;
  const done = new Promise<Conversion>((...both) => ([settle, reject] = both));
  // The reader of the stream receives the error as well.
  done.catch(() => {});
  let target: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  /** Resolves the write that waits for the reader. */
  let wanted: (() => void) | undefined;
  let over = false;

  const send = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (bytes.length > 0) {
      target.enqueue(bytes);
    }
  };
  /** Runs a call that executes functions of a custom protocol. If one throws, both sides fail. */
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      over = true;
      converter.free();
      target.error(error);
      reject(error);
      wanted?.();
      throw error;
    }
  };
  const end = (finish: () => Uint8Array<ArrayBuffer>, close: boolean): void => {
    if (over) {
      return;
    }
    over = true;
    guarded(() => {
      const last = finish();
      settle(converter.conversion!);
      if (close) {
        send(last);
        target.close();
      }
    });
    wanted?.();
  };

  const readable = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) => void (target = controller),
      pull: () => wanted?.(),
      // The end is not sent any more, but `done` resolves.
      cancel: () => end(() => converter.abort(), false),
    },
    { highWaterMark: 1 },
  );
  const writable = new WritableStream<Uint8Array>(
    {
      async write(chunk) {
        must(!over, "ended", "the converted stream was canceled by its reader");
        guarded(() => send(converter.push(chunk)));
        if (target.desiredSize! <= 0) {
          await new Promise<void>((resolve) => (wanted = resolve));
          wanted = undefined;
        }
      },
      close: () => end(() => converter.finish(), true),
      abort: () => end(() => converter.cutOff(), true),
    },
    { highWaterMark: 1 },
  );
  return { readable, writable, done };
}
