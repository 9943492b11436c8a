// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

export * from "./agent_api/index.js";
export * from "./ag_kit/index.js";
export * from "./ag_ui/index.js";
export * from "./responses/index.js";
export * from "./a2a/index.js";
