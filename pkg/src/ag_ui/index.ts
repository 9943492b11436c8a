// The names of AG-UI.

export type { AgUiEvent } from "./events.js";
