// The names of A2A that have to do with asking an agent and reading its answer.

export { answerTask, continueTask, sendMessageRequest, taskRequest } from "./send_request.js";
export type { A2aInput, A2aRequestOptions } from "./send_request.js";
export type { A2aInputMessage, A2aInputPart, A2aSendMessageRequest } from "../agentwire.js";
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
