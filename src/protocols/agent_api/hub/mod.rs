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

use crate::hub::spoke::Spoke;
use crate::protocols::agent_api::AgentApi;
use crate::protocols::agent_api::builder::{BuilderOptions, ContentBuilder};
use alloc::string::String;

impl Spoke for AgentApi {
    type Says = objects::State;
    type Target = ToAgentApi;
    type WriteOptions = BuilderOptions;

    fn target(options: BuilderOptions) -> ToAgentApi {
        ToAgentApi::new(options)
    }

    fn can_write_pieces(target: &mut ToAgentApi) -> bool {
        target.latest().is_some_and(ContentBuilder::can_write_pieces)
    }

    #[inline]
    fn write_pieces(target: &mut ToAgentApi, text: &str, ends: &[usize], out: &mut String) {
        if let Some(part) = target.latest() {
            part.write_pieces(text, ends, out);
        }
    }
}

/// The protocol's name, as it is everywhere.
const NAME: &str = "agent-api";
