//! From AG-Kit to the hub.
//!
//! The engine of the protocol interprets the stream, and its changes become steps. A text between
//! two other parts becomes a message, and so does every call, result and interrupt.

use alloc::string::String;

use crate::bytes::string_map::Numbers;
use crate::core::EndReason;
use crate::core::declare::model::member::{DeclaredMember as _, DeclaredObject as _};
use crate::engine::{Field, FieldValue, ObjectId, ObjectKind, Sink};
use crate::hub::approval::TEXT;
use crate::hub::{
    EndStatus, FoldSource, GrowingMessage, Hub, MessageKind, MessagePhase, RunEnd, Step, StepSink,
    StepSource, ToolKind,
};
use crate::protocols::ag_kit::{ErrorPart, Interrupt, Snapshot, Status, TextPart, ToolCall};

/// Reads AG-Kit: the source of a conversion.
pub type FromAgKit = FoldSource;

/// The state of the emitted part of the turn.
#[derive(Debug, Default)]
pub struct AgKitSource {
    /// The last node that was opened.
    node: ObjectId,
    /// The number of the last message.
    message: u32,
    /// The message of the text that is open, by the node of the text.
    text: GrowingMessage<ObjectId>,
    /// The calls by node.
    calls: Numbers<EmittedCall>,
    interrupt: Option<Interrupt>,
    status: Status,
    error: ErrorPart,
    /// The last byte ends the turn as well as `[DONE]`.
    done_is_optional: bool,
}

/// A call, whose message begins with the name of the tool.
#[derive(Debug, Default)]
struct EmittedCall {
    id: String,
    phase: MessagePhase,
}

impl AgKitSource {
    pub(super) fn new(done_is_optional: bool) -> Self {
        AgKitSource { done_is_optional, ..AgKitSource::default() }
    }

    /// A new message.
    fn begin(&mut self, kind: MessageKind<'_>, hub: &mut Hub<'_>) -> u32 {
        self.end_text(hub);
        self.message += 1;
        hub.emit(&Step::open(self.message, kind, kind.default_role(), None));
        self.message
    }

    fn end_text(&mut self, hub: &mut Hub<'_>) {
        if let Some(text) = self.text.end() {
            hub.close_whole(hub.meta(), text.message);
        }
    }

    fn end_call(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        if let Some(message) = self.calls.get_mut(node.into()).and_then(|call| call.phase.end()) {
            hub.close_whole(hub.meta(), message);
        }
    }

    fn call(&mut self, node: ObjectId, name: &str, hub: &mut Hub<'_>) {
        let message = self.begin(MessageKind::Call(ToolKind::Function), hub);
        if let Some(call) = self.calls.get_mut(node.into()) {
            call.phase = MessagePhase::Open(message);
            hub.emit(&Step::call(message, 0, &call.id, name, &[]));
        }
    }

    fn result(&mut self, node: ObjectId, output: &str, hub: &mut Hub<'_>) {
        self.end_call(node, hub);
        let message = self.begin(MessageKind::Result(ToolKind::Function), hub);
        if let Some(call) = self.calls.get_mut(node.into()) {
            hub.emit(&Step::result(message, 0, &call.id, output));
        }
        hub.close_whole(hub.meta(), message);
    }

    /// The question is there.
    fn ask(&mut self, hub: &mut Hub<'_>) {
        if let Some(Interrupt { id, reason, payload }) = self.interrupt.take() {
            let message = self.begin(MessageKind::Interrupt, hub);
            // Whether a target has added the text is not known: the payload is not changed.
            let question = Step::interrupt(message, 0, &id, reason.as_deref(), &payload);
            hub.emit(&question.with_text(payload.text(TEXT)));
            hub.close_whole(hub.meta(), message);
        }
    }
}

impl StepSource for AgKitSource {
    fn after(&mut self, hub: &mut Hub<'_>) {
        self.ask(hub);
    }

    /// Returns the end that the status of the turn is. A stream without `[DONE]` is one that was
    /// cut off: where it breaks off between two parts, nothing else shows that more was to come.
    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.ask(hub);
        Some(match self.status {
            _ if ended == EndReason::Aborted => return None,
            _ if ended == EndReason::Eof && !self.done_is_optional => return None,
            Status::Completed | Status::AwaitingToolResults => RunEnd::new(EndStatus::Completed),
            Status::Interrupted => RunEnd::incomplete("interrupt"),
            Status::Failed => {
                let ErrorPart { message, details } = &self.error;
                let details = details.as_deref().filter(|details| !details.is_empty());
                RunEnd::failed(
                    None,
                    details.map_or_else(|| message.clone(), |more| [message, ": ", more].concat()),
                )
            }
            Status::Streaming | Status::Truncated => return None,
        })
    }
}

impl Sink for StepSink<'_, '_, AgKitSource> {
    fn open(&mut self, kind: ObjectKind, _: ObjectId, _: Field) {
        let StepSink { state, hub } = self;
        state.node += 1;
        match kind {
            // It opens with its first piece.
            TextPart::KIND => {}
            ToolCall::KIND => state.calls.insert(state.node.into(), EmittedCall::default()),
            Interrupt::KIND => state.interrupt = Some(Default::default()),
            _ => state.end_text(hub),
        }
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        let text = || if let FieldValue::Str(text) = value { text } else { "" };
        match key {
            Snapshot::status => state.status = Status::of(value).unwrap_or_default(),
            ToolCall::tool_call_id => {
                if let Some(call) = state.calls.get_mut(node.into()) {
                    call.id.set(value);
                }
            }
            ToolCall::tool_call_name => state.call(node, text(), hub),
            ToolCall::result => state.result(node, text(), hub),
            ToolCall::state => state.end_call(node, hub),
            _ => {
                let question = state.interrupt.as_mut().and_then(|question| question.member(key));
                if let Some(member) = question.or_else(|| state.error.member(key)) {
                    member.set(value);
                }
            }
        }
    }

    fn append(&mut self, node: ObjectId, key: Field, piece: &str) {
        let StepSink { state, hub } = self;
        if key == TextPart::text {
            // After a result, which is a message, the same text begins another one.
            let message = state.text.number_for(node).unwrap_or_else(|| {
                let message = state.begin(MessageKind::Message, hub);
                state.text.begin(message, node)
            });
            hub.emit(&Step::Text { message, part: 0, piece });
        } else if key == ToolCall::arguments
            && let Some(call) = state.calls.get(node.into())
            && let MessagePhase::Open(message) = call.phase
        {
            hub.emit(&Step::Arguments { message, part: 0, piece });
        }
    }
}
