//! From AG-Kit to the hub.
//!
//! The engine reads the stream by the protocol's meaning; this sink converts its changes. A text between two other
//! parts becomes a message, and so does every call, result and interrupt.

use alloc::{string::String, vec::Vec};

use crate::core::EndReason;
use crate::core::declare::model::member::{Member as _, Object as _};
use crate::engine::{Key, Kind, Node, SinkValue};
use crate::hub::{EndStatus, FoldSource, Hub, HubSink, MessageKind, RunEnd, Step, ToolKind};
use crate::protocols::ag_kit::{ErrorPart, Interrupt, Snapshot, Status, TextPart, ToolCall};

/// The source of a conversion from AG-Kit.
pub type FromAgKit = FoldSource;

/// The state of the conversion of a turn.
#[derive(Debug, Default)]
pub struct State {
    /// The last node that was opened.
    node: Node,
    /// The number of the last message.
    message: u32,
    /// The text that is open: its node, whose message is `message`.
    text: Option<Node>,
    /// The calls, each with its message, by node, in the order of the nodes.
    calls: Vec<(Node, Call)>,
    interrupt: Option<Interrupt>,
    status: Status,
    error: ErrorPart,
    /// Whether the end of the stream ends the turn, as `[DONE]` does.
    done_is_optional: bool,
}

#[derive(Debug, Default)]
struct Call {
    message: u32,
    id: String,
    ended: bool,
}

impl State {
    pub(super) fn new(done_is_optional: bool) -> Self {
        State { done_is_optional, ..State::default() }
    }

    /// Opens a message and returns its number.
    fn begin(&mut self, kind: MessageKind<'_>, hub: &mut Hub<'_>) -> u32 {
        self.end_text(hub);
        self.message += 1;
        hub.emit(&Step::open(self.message, kind, kind.default_role(), None));
        self.message
    }

    fn end_text(&mut self, hub: &mut Hub<'_>) {
        if self.text.take().is_some() {
            end(self.message, hub);
        }
    }

    /// Returns the call of a node. The calls are sorted by node.
    fn called(&mut self, node: Node) -> Option<&mut Call> {
        let at = self.calls.binary_search_by_key(&node, |(node, _)| *node).ok()?;
        Some(&mut self.calls[at].1)
    }

    fn end_call(&mut self, node: Node, hub: &mut Hub<'_>) {
        if let Some(call) = self.called(node).filter(|call| !call.ended) {
            call.ended = true;
            end(call.message, hub);
        }
    }

    fn call(&mut self, node: Node, name: &str, hub: &mut Hub<'_>) {
        let message = self.begin(MessageKind::Call(ToolKind::Function), hub);
        if let Some(call) = self.called(node) {
            call.message = message;
            hub.emit(&Step::call(message, 0, &call.id, name, &[]));
        }
    }

    fn result(&mut self, node: Node, output: &str, hub: &mut Hub<'_>) {
        self.end_call(node, hub);
        let message = self.begin(MessageKind::Result(ToolKind::Function), hub);
        if let Some(call) = self.called(node) {
            hub.emit(&Step::result(message, 0, &call.id, output));
        }
        end(message, hub);
    }

    /// Emits the interrupt, which is complete.
    fn ask(&mut self, hub: &mut Hub<'_>) {
        if let Some(Interrupt { id, reason, payload }) = self.interrupt.take() {
            let message = self.begin(MessageKind::Interrupt, hub);
            hub.emit(&Step::interrupt(message, 0, &id, reason.as_deref(), &payload));
            end(message, hub);
        }
    }
}

/// Ends the one part of a message, and the message.
fn end(message: u32, hub: &mut Hub<'_>) {
    hub.emit(&Step::EndPart { message, part: 0, whole: true });
    hub.close(message);
}

impl HubSink for State {
    fn after(&mut self, hub: &mut Hub<'_>) {
        self.ask(hub);
    }

    /// Returns the end of the run for the status of the turn. A stream without `[DONE]` counts as cut off: if it breaks
    /// off between two parts, nothing else shows that parts are missing.
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

    fn open(&mut self, kind: Kind, _: Node, _: Key, hub: &mut Hub<'_>) {
        self.node += 1;
        match kind {
            // A text opens with its first piece.
            TextPart::KIND => {}
            ToolCall::KIND => self.calls.push((self.node, Call::default())),
            Interrupt::KIND => self.interrupt = Some(Default::default()),
            _ => self.end_text(hub),
        }
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>, hub: &mut Hub<'_>) {
        let text = || if let SinkValue::Str(text) = value { text } else { "" };
        match key {
            Snapshot::status => self.status = Status::of(value).unwrap_or_default(),
            ToolCall::tool_call_id => self.called(node).into_iter().for_each(|call| call.id.set(value)),
            ToolCall::tool_call_name => self.call(node, text(), hub),
            ToolCall::result => self.result(node, text(), hub),
            ToolCall::state => self.end_call(node, hub),
            _ => {
                let asked = self.interrupt.as_mut().and_then(|asked| asked.member(key));
                asked.or_else(|| self.error.member(key)).into_iter().for_each(|member| member.set(value));
            }
        }
    }

    fn append(&mut self, node: Node, key: Key, piece: &str, hub: &mut Hub<'_>) {
        if key == TextPart::text {
            // A new text, or the rest of a text after a result, which is a message.
            if self.text != Some(node) {
                self.begin(MessageKind::Message, hub);
                self.text = Some(node);
            }
            hub.emit(&Step::Text { message: self.message, part: 0, piece });
        } else if key == ToolCall::arguments
            && let Some(call) = self.called(node)
        {
            hub.emit(&Step::Arguments { message: call.message, part: 0, piece });
        }
    }
}
