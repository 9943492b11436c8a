// Further exports of AG-UI in `agentwire/server`.

export {
  type AgUiBuilderOptions,
  type AgUiOutcome,
  AgUiStreamBuilder,
  type AgUiTokenUsage,
} from "./stream_builder.js";
export { AG_UI_BINARY, type AgUiFrame, compactAgUiEvents, encodeAgUiFrame } from "./events.js";
