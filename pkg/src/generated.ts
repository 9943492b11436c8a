// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.

/** The protocols that can be read, in the order in which the core numbers them. */
export const PROTOCOLS = ["agent-api", "ag-kit"] as const;
