// Only where documentation is made or tested: otherwise a word changed in the README would compile everything anew.
#![cfg_attr(any(doc, doctest), doc = include_str!("../README.md"))]
#![cfg_attr(not(any(doc, doctest)), doc = "Agent protocol streams, read and written: see the README.")]
// Each item names the feature that enables it, where docs.rs builds the documentation.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(test, allow(clippy::unwrap_used))]
// The core has what all protocols need: where only some of them are compiled, parts of it are for nobody.
#![cfg_attr(
    not(all(
        feature = "agent-api",
        feature = "ag-kit",
        feature = "ag-ui",
        feature = "responses",
        feature = "a2a"
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

extern crate alloc;

pub mod adapters;
mod bytes;
#[cfg(feature = "hub")]
pub mod convert;
pub mod core;
#[cfg(feature = "hub")]
pub mod emit;
mod host;
#[cfg(feature = "hub")]
pub mod hub;
pub mod json;
pub mod protocols;
pub mod read;
pub mod sse;
#[cfg(feature = "wasm-reader")]
pub mod wasm;

pub use crate::core::changes::{Change, Changes, TextDelta, TextKind};
pub use crate::core::error::{DecodeError, Misuse};
pub use crate::core::id::Id;
pub use crate::core::limits::Limits;
pub use crate::core::observed::Observed;
pub use crate::core::report::{Ended, Report};
pub use crate::core::transition::Transition;
pub use crate::core::violation::{At, Rule, Severity, Violation};
#[cfg(feature = "a2a")]
pub use protocols::a2a;
#[cfg(feature = "ag-kit")]
pub use protocols::ag_kit;
#[cfg(feature = "ag-ui")]
pub use protocols::ag_ui;
#[cfg(feature = "agent-api")]
pub use protocols::agent_api;
#[cfg(feature = "responses")]
pub use protocols::responses;
#[cfg(feature = "runs")]
pub use protocols::runs;
pub use read::{AnyReader, AnySnapshot, Outcome, Reader};
pub use sse::LimitExceeded;
