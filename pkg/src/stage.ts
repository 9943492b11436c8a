// Whether a stream can be read on.

import { AgentwireError } from "./errors.js";

/** How far a reader has come. */
export class Stage {
  is: "open" | "finished" | "freed" = "open";
  /** A call of this reader has trapped, or what it had read could not be taken up: it can do no more. */
  failure: AgentwireError | undefined;
  /** The module was stopped inside a call, in which the reader is still in use. */
  hasTrapped = false;

  /** Throws what says why nothing can be read any more. */
  mustBeOpen(): void {
    if (this.failure !== undefined) {
      throw this.failure;
    }
    if (this.is === "finished") {
      throw new AgentwireError("finished", "the stream was finished: read the next one with a new Decoder");
    }
    if (this.is === "freed") {
      throw new AgentwireError("freed", "the decoder was freed before it was finished");
    }
  }
}
