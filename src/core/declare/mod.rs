//! Declarations of a protocol's events, answer, requests and rules.
//!
//! `events!` declares the events on the wire; `model!` declares the answer; `requests!` declares the requests;
//! `rules!` declares the rules for streams. All create Rust types, and tables for shared code: the reader of events,
//! the sink that stores, the reader of requests, the writer of JSON. `xtask/contract` prints TypeScript and JSON Schema
//! from the same tables.

pub mod events;
pub mod model;
pub(crate) mod requests;
pub(crate) mod rules;

pub(crate) use events::{events, lazy_objects};
pub(crate) use model::model;
pub(crate) use requests::requests;
pub(crate) use rules::rules;
