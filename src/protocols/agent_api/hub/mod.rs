//! The Agent API and the hub.

mod approval;
mod calls;
mod emit;
mod from_hub;
mod notes;
mod objects;
mod parts;
mod to_hub;
mod tools;

pub use from_hub::ToAgentApi;
pub use to_hub::FromAgentApi;

/// The protocol's name, as it is everywhere.
const NAME: &str = "agent-api";
