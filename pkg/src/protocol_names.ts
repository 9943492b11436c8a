// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

export * from "./agent_api/names.js";
export * from "./ag_kit/names.js";
export * from "./ag_ui/names.js";
export * from "./responses/names.js";
export * from "./a2a/names.js";
