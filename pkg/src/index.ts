// The public API of `agentwire`: reading and converting, whatever the protocol.

export * from "./neutral.js";
export * from "./any.js";
export { PROTOCOLS, PROTOCOL_TITLES, WRITABLE } from "./generated/contract.js";
export type { WritableProtocol } from "./generated/contract.js";
export { connect } from "./connect/any.js";
export type { ConnectInputs, ConnectOptions } from "./connect/any.js";
export { EventDecoder, events, pendingToolCalls, toolCalls, warm } from "./any.js";
export { Decoder, read } from "./convert/as.js";
export { toolkitReady as ready } from "./core/wasm.js";

export { RequestError } from "./http/request.js";
export type { RequestProblem } from "./http/request.js";

export { Converter } from "./convert/converter.js";
export type { Conversion, ConvertOptions, Loss } from "./convert/converter.js";
export { convert } from "./convert/convert.js";
export type { ConvertStream } from "./convert/convert.js";
export { convertRequest } from "./convert/convert_request.js";
export type { ConvertedRequest } from "./convert/request.js";
export { defineProtocol } from "./convert/protocol.js";
export type { CustomProtocol, ProtocolDefinition } from "./convert/protocol.js";
export type { ProtocolEnd, StepSink } from "./convert/hub.js";
export type { ProtocolNote, ProtocolStep } from "./convert/steps.js";
export { detectProtocol } from "./convert/detecting.js";
