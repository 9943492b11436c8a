// The public API, name by name: reading, and what only the whole toolkit can.

export * from "./neutral.js";
export * from "./protocol_names.js";
export { PROTOCOLS, PROTOCOL_TITLES } from "./generated.js";
export { connect } from "./protocol_connect.js";
export type { ConnectInputs, ConnectOptions } from "./protocol_connect.js";
export { EventDecoder, events, pendingToolCalls, toolCalls, warm } from "./any.js";
export type { ReadOptions } from "./options.js";
export type { RunOptions } from "./read.js";
export { Decoder, read } from "./convert/as.js";
export type { As } from "./convert/as.js";
export { toolkitReady as ready } from "./wasm.js";

export { emit, respond } from "./emit/emit.js";
export type { Abortable, EmitOptions, RespondOptions } from "./emit/emit.js";
export { AgentError } from "./emit/told.js";
export type { OnError } from "./emit/told.js";
export { sseHeaders } from "./emit/headers.js";
export type {
  NewMessage,
  NewTool,
  Out,
  OutActivity,
  OutData,
  OutMessage,
  OutStep,
  OutSubagent,
  OutText,
  OutTool,
  Parallel,
  Question,
} from "./emit/out.js";
export type { BuilderEvent } from "./emit/event.js";
export type { JsonObject } from "./emit/options.js";

export { RequestError } from "./request.js";
export type { RequestProblem } from "./request.js";
export { readBody } from "./request_body.js";
export type { BodyOptions } from "./request_body.js";

export { Converter } from "./convert/converter.js";
export type { Conversion, ConvertOptions, Loss } from "./convert/converter.js";
export { convert } from "./convert/convert.js";
export type { ConvertStream } from "./convert/convert.js";
export type { ConvertedRequest } from "./convert/request.js";
export { defineProtocol } from "./convert/protocol.js";
export type { CustomProtocol, ProtocolDefinition } from "./convert/protocol.js";
export type { Hub, HubEnd } from "./convert/hub.js";
export type { HubNote, HubStep, Place, StepContext } from "./convert/steps.js";
export { detecting } from "./convert/detecting.js";
export { defineAdapter, mount } from "./convert/adapter.js";
export type { Adapter, AdapterDefinition, Agent, AnswerOptions, MountOptions, RefusedError } from "./convert/adapter.js";
export { withCors } from "./server/cors.js";
export type { CorsOptions } from "./server/cors.js";
export type { Platform, RequestContext } from "./server/context.js";

export {
  RunSubscription,
  RunWriter,
  cursorNumber,
  parseRunCancelQuery,
  parseRunEventsQuery,
  parseRunHistoryQuery,
  parseRunInput,
  runErrorEvent,
  runInputBody,
  runsRefusal,
} from "./runs/service.js";
export type { RunLogEntry } from "./runs/service.js";
export type { RunCancelQuery, RunEventsQuery, RunHistoryQuery, RunInput } from "./agentwire.js";

// What belongs to one protocol.
export * from "./protocol_tools.js";
