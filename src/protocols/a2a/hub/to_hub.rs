//! From A2A to the hub.

use super::NAME;
use crate::core::fold::{Key, Node, SinkValue};
use crate::core::report::Ended;
use crate::hub::end::RunEnd;
use crate::hub::source::{FoldSource, HubSink};
use crate::hub::transducer::Hub;
use crate::protocols::a2a::A2a;

/// Reads A2A: the source of a conversion.
pub type FromA2a = FoldSource<State>;

/// What has been said.
#[derive(Debug, Default)]
pub struct State;

impl HubSink for State {
    const NAME: &'static str = NAME;
    type Protocol = A2a;

    fn end(&mut self, _: Ended, _: &mut Hub<'_>) -> Option<RunEnd> {
        None
    }

    fn set(&mut self, _: Node, _: Key, _: SinkValue<'_>, _: &mut Hub<'_>) {}

    fn append(&mut self, _: Node, _: Key, _: &str, _: &mut Hub<'_>) {}
}
