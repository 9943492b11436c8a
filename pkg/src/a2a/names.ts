// The exports of `agentwire/a2a` that only this protocol has.

export { cancelTask, createRequest, getTask, nextRequest, resume, submitToolResults, subscribeToTask } from "./create_request.js";
export type { AnswerOptions, Input, RequestOptions } from "./create_request.js";
export type { A2aEvent as Event } from "../generated/a2a/events.js";
export type {
  A2aArtifact as Artifact,
  A2aError as TaskError,
  A2aInputMessage as InputMessage,
  A2aInputPart as InputPart,
  A2aMessage as Message,
  A2aPart as Part,
  A2aRole as Role,
  A2aSendMessageConfiguration as SendConfiguration,
  A2aSendMessageRequest as RequestInput,
  A2aTask as Task,
  A2aTaskState as TaskState,
  A2aTaskStatus as TaskStatus,
} from "../agentwire.js";
export type { Snapshot } from "./types.js";
