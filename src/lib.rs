#![doc = include_str!("../README.md")]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

extern crate alloc;

#[cfg(feature = "adapt")]
pub mod adapt;
#[cfg(feature = "ag-kit")]
pub mod ag_kit;
pub mod agent_api;
pub mod any;
mod bytes;
pub mod detect;
pub mod error;
pub mod fold;
mod free;
mod got;
pub mod id;
pub mod json;
pub mod limits;
mod names;
mod open_enum;
pub mod read;
mod report;
mod request;
pub mod sse;
mod step;
pub mod violation;
#[cfg(feature = "wasm-reader")]
pub mod wasm;
mod wire;

pub use error::{DecodeError, LimitExceeded, Misuse};
pub use got::Got;
pub use id::Id;
pub use limits::Limits;
pub use read::{Outcome, Reader};
pub use report::{Ended, Report};
pub use step::Step;
pub use violation::{At, Rule, Severity, Violation};
