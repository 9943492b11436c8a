// Further exports of AG-UI in `agentwire/server`.

export { AG_UI_BINARY, type AgUiFrame, compactAgUiEvents, encodeAgUiFrame } from "./events.js";
