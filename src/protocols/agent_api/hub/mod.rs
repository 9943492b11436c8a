//! The Agent API and the hub.

mod emit;
mod from_hub;
mod objects;
mod parts;
mod to_hub;

pub use from_hub::ToAgentApi;
pub use to_hub::FromAgentApi;
