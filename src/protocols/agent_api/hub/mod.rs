//! The Agent API and the hub.

mod approval;
mod calls;
mod emit;
mod from_hub;
mod members;
mod notes;
mod objects;
mod options;
mod parts;
mod request;
mod to_hub;
mod tools;
mod words;

pub use from_hub::ToAgentApi;
pub use to_hub::FromAgentApi;

use crate::hub::spoke::spoke;
use crate::protocols::agent_api::AgentApi;
use crate::protocols::agent_api::builder::BuilderOptions;

spoke!(AgentApi: objects::State => hub => ToAgentApi(BuilderOptions));

/// The protocol's name, as it is everywhere.
const NAME: &str = "agent-api";
