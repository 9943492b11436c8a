//! What every protocol shares: limits, ids, violations and reports; how a stream is folded, told to a sink and repeated.
//!
//! Nothing here knows a protocol.

pub mod answer;
#[cfg(feature = "binary")]
pub mod binary;
pub mod changes;
pub mod declare;
pub(crate) mod detect;
pub mod error;
pub mod fold;
pub mod framing_rules;
pub(crate) mod free_json;
pub mod id;
#[cfg(feature = "patches")]
pub mod json_patch;
pub mod limits;
pub mod observed;
pub mod options;
pub mod patch;
pub mod replay;
pub mod report;
pub(crate) mod request;
pub mod sink;
pub mod transition;
pub mod violation;
pub mod wire;
