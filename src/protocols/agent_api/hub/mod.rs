//! Conversions between the Agent API and the hub.

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

use crate::core::ReadOptions;
use crate::hub::spoke;
use crate::protocols::agent_api::AgentApi;
use crate::protocols::agent_api::builder::{BuilderOptions, ContentBuilder};
use alloc::string::String;

spoke!(AgentApi: objects::State => hub => ToAgentApi(BuilderOptions) {
    fn source(protocol: &mut AgentApi, options: &ReadOptions) -> objects::State {
        protocol.keep_heartbeats = false;
        objects::State { depth: options.limits.json_depth, ..objects::State::default() }
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
});
