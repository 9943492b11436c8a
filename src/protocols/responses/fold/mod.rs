//! What the events of a stream mean.

use super::events::EVENTS;
use super::model::Snapshot;
use super::rules;
use crate::core::declare::events::table::{EventTable, Reading};
use crate::core::fold::{AnswerLayout, CommonRules, Context, Folding, Limited, Protocol, Semantics, Sink};
use crate::core::options::ReadOptions;

/// The OpenAI Responses protocol.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Responses {}

/// The state machine of OpenAI Responses.
pub type ResponsesFold = Folding<ResponsesSemantics>;

impl Protocol for Responses {
    type Fold = Limited<ResponsesFold>;
    type Snapshot = Snapshot;

    const TITLE: &'static str = "OpenAI Responses";

    const LAYOUT: AnswerLayout = AnswerLayout {
        snapshot: None,
        tool_calls: Some(("output", Some("function_call"))),
        calls_inside: None,
    };

    fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Limited<ResponsesFold> {
        Limited::new(&options.limits, sink, |_| Folding::new(ResponsesSemantics::default(), options))
    }
}

/// What the events of OpenAI Responses mean.
#[derive(Debug, Default)]
pub struct ResponsesSemantics {
    ended: bool,
}

impl Semantics for ResponsesSemantics {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = CommonRules {
        malformed_event: &rules::MALFORMED_EVENT,
        duplicate_key: &rules::DUPLICATE_KEY,
        null_member: None,
        sequence_number: Some(&rules::SEQUENCE_NUMBER),
        lone_surrogate: &rules::LONE_SURROGATE,
    };

    fn event(&mut self, event: &Reading<'_, '_>, cx: &mut Context<'_, '_>) {
        cx.number(event.get(0));
    }

    fn has_ended(&self) -> bool {
        self.ended
    }
}
