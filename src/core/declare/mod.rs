//! Declarations of a protocol's events, answer, requests and rules.
//!
//! `events!` declares the events on the wire; `model!` declares the answer; `requests!` declares the requests;
//! `rules!` declares the rules for streams. All create Rust types, and tables for shared code: the reader of events,
//! the sink that stores, the reader of requests, the writer of JSON, TypeScript and JSON Schema.

pub mod events;
#[cfg(feature = "std")]
mod json_schema;
pub mod model;
pub(crate) mod requests;
pub(crate) mod rules;
#[cfg(feature = "typescript")]
#[cfg_attr(
    not(target_family = "wasm"),
    allow(dead_code, reason = "only a wasm module has it written into it")
)]
pub(crate) mod typescript;

pub(crate) use events::{events, lazy_objects};
pub(crate) use model::model;
pub(crate) use requests::requests;
pub(crate) use rules::rules;
