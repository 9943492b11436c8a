// Further exports of AG-Kit in `agentwire/server`.

export { AgKitStreamBuilder } from "./stream_builder.js";
