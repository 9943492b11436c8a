//! AG-UI and the hub. (F.1 to F.3.)

mod added;
mod calls;
mod content;
mod events;
mod from_hub;
mod held;
mod items;
mod listed;
mod message;
mod notes;
mod request;
mod run;
mod said;
mod telling;
mod to_hub;
mod usage;
mod writer;

pub use from_hub::ToAgUi;
pub use to_hub::FromAgUi;

use crate::hub::{WriteOptions, spoke};
use crate::protocols::ag_ui::AgUi;

spoke!(AgUi: to_hub::State => hub => ToAgUi(WriteOptions));

/// The members of a run's metadata that contain its status and reason, if AG-UI does not have such an end.
const STATUS: &str = "status";
const REASON: &str = "reason";
/// The error messages of such ends, if the source does not have one.
const INCOMPLETE: &str = "The run is incomplete.";
const REJECTED: &str = "The run was rejected.";
/// The kind of a span of reasoning at the hub.
const REASONING: &str = "reasoning";
/// The member of an interrupt's metadata that contains the payload of the question (F.3).
const PAYLOAD: &str = "payload";
