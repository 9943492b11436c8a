//! Declarations: what a protocol's events and answer look like, said once.
//!
//! `events!` declares what stands on the wire; `model!` declares the answer that it comes to; `requests!` declares what is
//! asked. All make Rust types, and tables that one engine reads: the reader of events, the sink that stores, the reader of
//! requests, the writer of JSON, TypeScript and JSON Schema.

#[cfg(feature = "ag-ui")]
pub mod absent;
#[cfg(feature = "ag-ui")]
pub(crate) mod common;
pub(crate) mod events;
#[cfg(feature = "ag-ui")]
pub(crate) mod filter;
pub(crate) mod form;
pub(crate) mod forms;
#[cfg(feature = "serde")]
pub(crate) mod from_json;
pub(crate) mod index;
pub mod member;
pub(crate) mod model;
pub(crate) mod nested;
pub(crate) mod nodes;
pub(crate) mod object;
pub(crate) mod objects;
pub(crate) mod requests;
pub mod shape;
pub mod store;
pub(crate) mod syntax;
pub(crate) mod table;
#[cfg(feature = "typescript")]
#[cfg_attr(
    not(target_family = "wasm"),
    allow(dead_code, reason = "only a wasm module has it written into it")
)]
pub(crate) mod typescript;
pub(crate) mod values;
pub(crate) mod variants;
pub(crate) mod words;

pub(crate) use events::events;
pub(crate) use model::model;
pub(crate) use objects::objects;
pub(crate) use requests::requests;
