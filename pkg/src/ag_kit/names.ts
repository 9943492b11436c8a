// The names of AG-Kit that have to do with reading it.

export type { AgKitEvent } from "./events.js";
export type {
  AgKitError,
  AgKitErrorPart,
  AgKitInterruptPart,
  AgKitPart,
  AgKitStatus,
  AgKitTextPart,
  AgKitToolCallPart,
  AgKitToolState,
  AgKitTurn,
} from "../agentwire.js";
