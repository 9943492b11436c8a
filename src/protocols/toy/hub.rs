//! Its streams written, and its way to the hub and back.

use super::*;
use crate::core::declare::model::member::DeclaredMember as _;
use crate::core::{EndReason, WireEvent};
use crate::hub::*;

/// Reads the toy: how it ended, and why it failed.
#[derive(Debug, Default)]
pub struct ToySource(Status, String);

impl StepSource for ToySource {
    fn end(&mut self, _: EndReason, _: &mut Hub<'_>) -> Option<RunEnd> {
        match self.0 {
            Status::Open => None,
            Status::Over => Some(RunEnd::new(EndStatus::Completed)),
            Status::Failed => Some(RunEnd::failed(None, self.1.as_str())),
        }
    }
}

impl Sink for StepSink<'_, '_, ToySource> {
    fn set(&mut self, message: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        match (key, value) {
            (Spoken::who, FieldValue::Str(who)) => {
                hub.emit(&Step::open(message, MessageKind::Message, Role::Assistant, Some(who)));
            }
            (Snapshot::why, value) => state.1.set(value),
            (_, value) => state.0.set(value),
        }
    }

    fn append(&mut self, message: ObjectId, _: Field, piece: &str) {
        self.hub.emit(&Step::Text { message, part: 0, piece });
    }
}

/// Writes the toy.
#[derive(Debug, Default)]
pub struct ToToy(LossChecker);

impl FromHub for ToToy {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut EventOutput<'_, WireEvent>) {
        self.0.check(&[("*", "the toy has speeches only")], step, out);
        let event = match *step {
            Step::Text { message, piece, .. } | Step::Refusal { message, piece, .. } => {
                let (who, nonce) = (out.place(message).into(), out.meta().event as i64);
                Event::Says { who, text: piece.into(), nonce: nonce.into(), at: 0.into() }
            }
            Step::End(end) if end.status == EndStatus::Completed => Event::Bye {},
            Step::End(end) => Event::Fails {
                why: end.error.as_ref().map_or(end.status.as_str(), |error| &error.message).into(),
            },
            _ => return,
        };
        out.emit(event.to_wire());
    }
}

conversion!(Toy: ToySource => hub => ToToy);
