//! Declarations: what a protocol's events and answer look like, said once.
//!
//! `events!` declares what stands on the wire; `model!` declares the answer that it comes to. Both make Rust types, and
//! tables that one engine reads: the reader of events, the sink that stores, the writer of JSON, TypeScript and JSON Schema.

// The answer of the Agent API is not declared yet.
#[cfg(feature = "ag-kit")]
pub(crate) mod events;
pub(crate) mod form;
pub(crate) mod forms;
#[cfg(feature = "ag-kit")]
pub mod member;
#[cfg(feature = "ag-kit")]
pub(crate) mod model;
pub(crate) mod nested;
pub(crate) mod objects;
#[cfg(feature = "ag-kit")]
pub mod shape;
#[cfg(feature = "ag-kit")]
pub mod store;
pub(crate) mod syntax;
pub(crate) mod table;
#[cfg(all(feature = "typescript", feature = "ag-kit"))]
#[cfg_attr(
    not(target_family = "wasm"),
    allow(dead_code, reason = "only a wasm module has it written into it")
)]
pub(crate) mod typescript;

#[cfg(feature = "ag-kit")]
pub(crate) use events::events;
#[cfg(feature = "ag-kit")]
pub(crate) use model::model;
pub(crate) use objects::objects;
