// The events of a run are AG-UI events.

export { AG_UI } from "../ag_ui/protocol.js";
