// The events of a run are AG-UI's.

export { AG_UI } from "../ag_ui/protocol.js";
