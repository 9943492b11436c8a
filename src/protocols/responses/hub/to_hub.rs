//! From OpenAI Responses to the hub.

use super::NAME;
use crate::core::fold::{Key, Node, SinkValue};
use crate::core::report::Ended;
use crate::hub::end::RunEnd;
use crate::hub::source::{FoldSource, HubSink};
use crate::hub::transducer::Hub;
use crate::protocols::responses::Responses;

/// Reads OpenAI Responses: the source of a conversion.
pub type FromResponses = FoldSource<State>;

/// How much of the response has been said.
#[derive(Debug, Default)]
pub struct State {}

impl HubSink for State {
    const NAME: &'static str = NAME;
    type Protocol = Responses;

    fn end(&mut self, _: Ended, _: &mut Hub<'_>) -> Option<RunEnd> {
        None
    }

    fn set(&mut self, _: Node, _: Key, _: SinkValue<'_>, _: &mut Hub<'_>) {}

    fn append(&mut self, _: Node, _: Key, _: &str, _: &mut Hub<'_>) {}
}
