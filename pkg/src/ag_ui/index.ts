// The names of AG-UI.

export { AG_UI_BINARY, agUiFrame } from "./binary.js";
export type { AgUiFrame } from "./binary.js";
export type { AgUiEvent } from "./events.js";
