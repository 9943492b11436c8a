// The names of AG-Kit that only the whole toolkit has.

export { AgKitStreamBuilder } from "./stream_builder.js";
export { parseSendMessageInput, resuming, sendMessageBody, toolAnswers, validateSendMessageInput } from "./request.js";
export { agKitAdapter } from "./adapter.js";
export { toSendMessageInput } from "./convert_request.js";
export type { AgKitInputMessage, AgKitResume, AgKitTool, AgKitToolCall, SendMessageInput } from "../agentwire.js";
