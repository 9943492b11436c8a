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

/// The members of a run's metadata that say how it ended, where AG-UI has no such end.
const STATUS: &str = "status";
const REASON: &str = "reason";
/// What is written for people of such ends, where the source says nothing.
const INCOMPLETE: &str = "The run is incomplete.";
const REJECTED: &str = "The run was rejected.";
/// What a span of reasoning is at the hub.
const REASONING: &str = "reasoning";
/// The member of an interrupt's metadata that is what the agent asks (F.3).
const PAYLOAD: &str = "payload";
