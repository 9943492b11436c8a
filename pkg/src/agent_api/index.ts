// The names of the Agent API that only the whole toolkit has.

export { requestAnswers, userText } from "./asked.js";
export type { RequestAnswer } from "./asked.js";
export { parseAgentRequest, validateAgentRequest } from "./request.js";
export { ResponseBuilder } from "../emit/response_builder.js";
export type { MessageBuilder } from "../emit/message_builder.js";
export type { ContentBuilder } from "../emit/content_builder.js";
export type { BuilderOptions, NewAudio, NewContent, NewFile, TerminalStatus } from "../emit/options.js";
export { agentApiAdapter } from "./adapter.js";
export { toAgentRequest } from "./convert_request.js";
