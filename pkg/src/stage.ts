// Whether a stream can be read on.

import { AgentwireError, type TrapError } from "./errors.js";

/** How far a reader has come. */
export class Stage {
  is: "open" | "finished" | "freed" = "open";
  /** A call of this reader has trapped, or one of another reader in the same instance: it can do no more. */
  trap: TrapError | undefined;

  /** Throws what says why nothing can be read any more. */
  mustBeOpen(): void {
    if (this.trap !== undefined) {
      throw this.trap;
    }
    if (this.is === "finished") {
      throw new AgentwireError("finished", "the stream was finished: read the next one with a new Decoder");
    }
    if (this.is === "freed") {
      throw new AgentwireError("freed", "the decoder was freed before it was finished");
    }
  }
}
