// Converting a stream as it passes by.

import { AgentwireError } from "../errors.js";
import { type Conversion, type ConvertOptions, Converter } from "./converter.js";

/** A stream of bytes that comes out as another protocol. */
export interface ConvertStream {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Uint8Array>;
  /**
   * What could not be carried, and what was wrong with the source. Resolves when the stream has been closed, canceled or
   * aborted; rejects with what a function of a protocol of your own has thrown.
   */
  readonly done: Promise<Conversion>;
}

/**
 * Makes one agent speak another protocol.
 *
 * ```js
 * const headers = { "content-type": "application/json" };
 * const answer = await fetch("https://agent.example/answer", { method: "POST", headers, body });
 * return new Response(answer.body.pipeThrough(convert({ from: "auto", to })), { headers: sseHeaders() });
 * ```
 *
 * The readable side ends with the target's terminal event whatever becomes of the source: also where its connection
 * breaks, which then is no error of the readable side but the end of an incomplete answer.
 */
export function convert(options: ConvertOptions): ConvertStream {
  const converter = new Converter(options);
  let settle!: (conversion: Conversion) => void;
  let reject!: (error: unknown) => void;
  const done = new Promise<Conversion>((...both) => ([settle, reject] = both));
  // Whoever reads is told as well.
  done.catch(() => {});
  let target: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  /** Answers a writer that waits for the reader. */
  let wanted: (() => void) | undefined;
  let over = false;

  const send = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (bytes.length > 0) {
      target.enqueue(bytes);
    }
  };
  /** The functions of a protocol of one's own can throw: then there is no more to be had. */
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
      // Nobody hears the end any more, but what there was is known.
      cancel: () => end(() => converter.abort(), false),
    },
    { highWaterMark: 1 },
  );
  const writable = new WritableStream<Uint8Array>(
    {
      async write(chunk) {
        if (over) {
          throw new AgentwireError("ended", "the converted stream was canceled: nobody reads it");
        }
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
