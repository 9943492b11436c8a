// The names of A2A that have to do with reading it.

export type { A2aEvent } from "./events.js";
export type {
  A2aArtifact,
  A2aError,
  A2aMessage,
  A2aPart,
  A2aRole,
  A2aSnapshot,
  A2aTask,
  A2aTaskState,
  A2aTaskStatus,
} from "../agentwire.js";
