// The public API of `agentwire`: reading and converting, whatever the protocol.

export * from "./common_exports.js";
export * from "./any.js";
export { PROTOCOLS, PROTOCOL_TITLES, WRITABLE } from "./generated/contract.js";
export type { WritableProtocol } from "./generated/contract.js";
export { Decoder, read } from "./convert/read_as.js";
export { toolkitReady as ready } from "./core/wasm.js";
export { type EventError, EventWriter, type EventWriterOptions } from "./event_writer.js";

export { RequestError, type RequestProblem } from "./http/request.js";

export { type Conversion, type ConvertOptions, Converter, type Loss } from "./convert/converter.js";
export type { LossClass } from "./core/findings.js";
export { type ConvertStream, convert } from "./convert/convert.js";
export { convertRequest } from "./convert/requests.js";
export type { ConvertedRequest } from "./convert/request.js";
export {
  type CustomProtocol,
  type ProtocolDefinition,
  defineProtocol,
} from "./convert/protocol.js";
export type { ProtocolEnd, StepSink } from "./convert/step_sink.js";
export type { ProtocolNote, ProtocolStep } from "./convert/steps.js";
export { detectProtocol } from "./convert/detecting_source.js";
