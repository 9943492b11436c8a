// The public API of `agentwire/runs`: the exports of `agentwire/ag-ui`, with `connect` for the runs
// endpoints, and their client.

export * from "../generated/ag_ui/reading.js";
export { connect } from "./connect.js";
export type { RunsConnectOptions as ConnectOptions } from "./connect.js";
export { RunsClient } from "./client.js";
export type {
  CreateRunOptions,
  HistoryOptions,
  RunEvents,
  RunEventsOptions,
  RunHistoryPage,
  RunThread,
  RunThreadPage,
  RunsClientOptions,
  ThreadsOptions,
  UploadOptions,
} from "./client.js";
export { RequestError, type RequestProblem } from "../http/request.js";
export { historyMessages } from "./history.js";
export type { RunConnections } from "./run_source.js";
export { resumableFetch } from "./resumable.js";
export type { ResumableOptions } from "./resumable.js";
export type {
  RunAttachment,
  RunAttachmentRef,
  RunCancelAccepted,
  RunClientTime,
  RunCreated,
  RunForwardedProps,
  RunHistory,
  RunHistoryMessage,
  RunImageSource,
  RunInput,
  RunInputMessage,
  RunInputPart,
  RunSignedUrl,
  RunTranscript,
  RunUserContent,
} from "../agentwire.js";
