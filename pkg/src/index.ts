// The public API, name by name: reading, and what only the whole toolkit can.

export * from "./reading.js";
export { Decoder, read } from "./convert/as.js";
export type { As } from "./convert/as.js";
export { toolkitReady as ready } from "./wasm.js";

export { RequestError, parseAgentRequest, validateAgentRequest } from "./request.js";
export type { RequestProblem } from "./request.js";
export { readBody } from "./request_body.js";
export type { BodyOptions } from "./request_body.js";
export type {
  AgentRequest,
  FunctionTool,
  InputContent,
  InputMessage,
  Tool,
} from "./agentwire.js";

export { emit } from "./emit/emit.js";
export type { EmitOptions } from "./emit/emit.js";
export { AgentError } from "./emit/told.js";
export type { OnError } from "./emit/told.js";
export { sseHeaders } from "./emit/headers.js";
export type {
  NewMessage,
  NewTool,
  Out,
  OutData,
  OutMessage,
  OutText,
  OutTool,
  Parallel,
} from "./emit/out.js";
export { ResponseBuilder } from "./emit/response_builder.js";
export type { MessageBuilder } from "./emit/message_builder.js";
export type { ContentBuilder } from "./emit/content_builder.js";
export type { BuilderEvent } from "./emit/event.js";
export type { BuilderOptions, JsonObject, NewAudio, NewContent, NewFile, TerminalStatus } from "./emit/options.js";

export { AgKitStreamBuilder } from "./ag_kit/stream_builder.js";
export {
  parseSendMessageInput,
  resuming,
  sendMessageBody,
  toolAnswers,
  validateSendMessageInput,
} from "./ag_kit/request.js";
export type {
  AgKitInputMessage,
  AgKitResume,
  AgKitTool,
  AgKitToolCall,
  SendMessageInput,
} from "./agentwire.js";

export { Converter } from "./convert/converter.js";
export type { Conversion, ConvertOptions, Loss } from "./convert/converter.js";
export { convert } from "./convert/convert.js";
export type { ConvertStream } from "./convert/convert.js";
export { toAgentRequest, toSendMessageInput } from "./convert/request.js";
export type { ConvertedRequest } from "./convert/request.js";
export { defineProtocol } from "./convert/protocol.js";
export type { CustomProtocol, ProtocolDefinition } from "./convert/protocol.js";
export type { Hub, HubEnd } from "./convert/hub.js";
export type { HubNote, HubStep, Place, StepContext } from "./convert/steps.js";
export { detecting } from "./convert/detecting.js";
export { agKitAdapter, agentApiAdapter, defineAdapter, mount } from "./convert/adapter.js";
export type { Adapter, AdapterDefinition, Agent } from "./convert/adapter.js";
