// The names of AG-Kit.

export { AgKitStreamBuilder } from "./stream_builder.js";
export type { AgKitEvent } from "./events.js";
export { parseSendMessageInput, resuming, sendMessageBody, toolAnswers, validateSendMessageInput } from "./request.js";
export { agKitAdapter } from "../convert/adapter.js";
export { toSendMessageInput } from "../convert/request.js";
export type { AgKitInputMessage, AgKitResume, AgKitTool, AgKitToolCall, SendMessageInput } from "../agentwire.js";
