//! Code that all protocols share: limits, ids, violations and reports, sinks, and the replay of
//! repeated events.
//!
//! Modules here do not depend on a protocol.

#[cfg(feature = "binary")]
pub mod binary;
pub mod changes;
pub mod declare;
pub(crate) mod detect;
pub mod error;
pub(crate) mod failure;
pub(crate) mod free_json;
pub mod id;
#[cfg(feature = "patches")]
pub mod json_patch;
pub mod limits;
pub mod options;
pub mod patch;
#[cfg(any(feature = "a2a", feature = "hub"))]
pub(crate) mod query;
pub mod replay;
pub mod report;
pub mod request;
pub mod sink;
pub mod transition;
pub mod violation;
pub mod wire;

// The building blocks of the protocols' code.
pub(crate) use declare::events::table::EventReading;
pub(crate) use declare::{events, model, requests, rules};
pub(crate) use detect::Opening;
pub(crate) use error::{DecodeError, UsageError};
pub(crate) use free_json::FreeJsonCheck;
pub(crate) use id::{Clock, IdSource};
pub(crate) use limits::Limits;
pub(crate) use options::ReadOptions;
pub(crate) use report::EndReason;
pub(crate) use transition::{Transition, transitions};
pub(crate) use violation::{LIMIT_EXCEEDED, Observed, Rule};
pub(crate) use wire::{PieceTemplate, WireEvent};
