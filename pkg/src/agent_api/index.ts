// Further exports of the Agent API in `agentwire/server`.

export {
  AgentApiStreamBuilder,
  type ContentBuilder,
  type MessageBuilder,
} from "../emit/agent_api_builder.js";
export type {
  BuilderOptions,
  NewAudio,
  NewContent,
  NewFile,
  TerminalStatus,
} from "../convert/builder_options.js";
export type { AgentRequest, ErrorInfo, MessageType, Role } from "../agentwire.js";
