//! From the hub to OpenAI Responses.

use crate::core::wire::WireEvent;
use crate::hub::room::Room;
use crate::hub::{FromHub, Out, Step};

/// Writes OpenAI Responses: the target of a conversion. So far it writes nothing, and every step is a loss.
#[derive(Debug)]
pub struct ToResponses(Room);

impl ToResponses {
    pub(super) fn new() -> Self {
        ToResponses(Room::new(&[("*", "streams of OpenAI Responses are not written yet")]))
    }
}

impl FromHub for ToResponses {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        self.0.check(step, out);
    }
}
