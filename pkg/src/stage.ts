// Whether a stream can be read further.

import { AgentwireError } from "./errors.js";

/** The state of a reader. */
export class Stage {
  is: "open" | "finished" | "freed" = "open";
  /** The error after which the reader cannot be used: a call of it has trapped, or its result could not be read. */
  failure: AgentwireError | undefined;
  /** Whether the module was interrupted inside a call, which still uses the reader. */
  hasTrapped = false;

  /** Throws the reason if the stream cannot be read any more. */
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
