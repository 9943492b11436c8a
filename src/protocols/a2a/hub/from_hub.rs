//! From the hub to A2A.

use crate::core::wire::WireEvent;
use crate::hub::room::Room;
use crate::hub::{FromHub, Out, Step};

/// Writes A2A: the target of a conversion. Nothing is written yet: all is a loss.
#[derive(Debug)]
pub struct ToA2a(Room);

impl Default for ToA2a {
    fn default() -> Self {
        ToA2a(Room::new(&[("*", "A2A is not written yet")]))
    }
}

impl FromHub for ToA2a {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        self.0.check(step, out);
    }
}
