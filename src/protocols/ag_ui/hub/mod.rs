//! AG-UI and the hub. (F.1 to F.3.)

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

/// What a span of reasoning is at the hub.
const REASONING: &str = "reasoning";
/// The member of an interrupt's metadata that is what the agent asks (F.3).
const PAYLOAD: &str = "payload";
