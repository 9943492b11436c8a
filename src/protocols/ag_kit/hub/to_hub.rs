//! From AG-Kit to the hub.
//!
//! The fold of the protocol decides what a stream means; this is the sink that passes it on. A text between two other
//! parts becomes a message, and so does every call, result and interrupt.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::NAME;
use crate::core::declare::member::Member as _;
use crate::core::fold::{Discard, Fold, Key, Kind, Limited, Node, Protocol, Sink, SinkValue};
use crate::core::options::ReadOptions;
use crate::core::report::Ended;
use crate::hub::end::{MessageEnd, RunEnd};
use crate::hub::kind::{EndStatus, MessageKind, ToolKind};
use crate::hub::source::{Source, pass_unknown, refused};
use crate::hub::step::Step;
use crate::hub::transducer::{Hub, ToHub};
use crate::json::{self, Raw, Str};
use crate::protocols::ag_kit::model::{ErrorPart, Interrupt, Snapshot, Status, TextPart, ToolCall};
use crate::protocols::ag_kit::{AgKit, AgKitFold};
use crate::sse;

/// Reads AG-Kit: the source of a conversion.
#[derive(Debug)]
pub struct FromAgKit {
    fold: Limited<AgKitFold>,
    state: State,
}

#[derive(Debug, Default)]
struct State {
    /// The last node that was opened.
    node: Node,
    /// The number of the last message.
    message: u32,
    /// The text that is open: its node, whose message is `message`.
    text: Option<Node>,
    /// The calls, each with its message, by node, in the order of the nodes.
    calls: Vec<(Node, Call)>,
    interrupt: Option<(String, Option<String>, json::Value)>,
    status: Status,
    error: ErrorPart,
    ended: bool,
}

#[derive(Debug, Default)]
struct Call {
    message: u32,
    id: String,
    ended: bool,
}

impl FromAgKit {
    /// A source at the start of a stream.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn new(protocol: AgKit, options: &ReadOptions) -> Self {
        // This fold opens nothing before the first event.
        let fold = protocol.fold(options, &mut Discard);
        FromAgKit { fold, state: State::default() }
    }
}

impl ToHub for FromAgKit {
    type Event<'e> = &'e sse::SseEvent<'e>;

    fn feed(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {
        self.fold.event(event, &mut Telling { state: &mut self.state, hub });
        pass_unknown(NAME, event.data, self.fold.report_mut(), hub);
        self.settle(hub);
    }

    fn finish(&mut self, aborted: bool, hub: &mut Hub<'_>) {
        self.fold.finish(aborted, &mut Telling { state: &mut self.state, hub });
        if self.state.ended {
            return;
        }
        self.state.ask(hub);
        let end = match (self.fold.report().ended, aborted) {
            (Ended::Refused, _) => refused(self.fold.report()),
            (_, true) => RunEnd::new(EndStatus::Canceled),
            (_, false) => self.state.end(),
        };
        hub.emit(&Step::End(&end));
    }
}

impl Source for FromAgKit {
    type Fold = Limited<AgKitFold>;

    fn fold(&self) -> &Limited<AgKitFold> {
        &self.fold
    }

    fn fold_mut(&mut self) -> &mut Limited<AgKitFold> {
        &mut self.fold
    }

    fn cut_off(&mut self) {
        self.fold.machine_mut().semantics.cut_off();
    }

    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, hub: &mut Hub<'_>) {
        self.fold.repeat(number, text, offset, &mut Telling { state: &mut self.state, hub });
    }
}

impl FromAgKit {
    /// After each event: what the sink could not say before it had all of it.
    fn settle(&mut self, hub: &mut Hub<'_>) {
        self.state.ask(hub);
        if self.state.ended || !self.fold.has_ended() || self.fold.report().ended == Ended::Refused {
            return;
        }
        self.state.ended = true;
        hub.emit(&Step::End(&self.state.end()));
    }
}

impl State {
    /// The end that the status of the turn is.
    fn end(&self) -> RunEnd {
        match self.status {
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
            Status::Streaming | Status::Truncated => RunEnd::incomplete(RunEnd::CUT_OFF),
        }
    }

    /// A new message.
    fn open(&mut self, hub: &mut Hub<'_>, kind: MessageKind<'_>) -> u32 {
        self.end_text(hub);
        self.message += 1;
        let message = self.message;
        hub.emit(&Step::open(message, kind, kind.default_role(), None));
        message
    }

    fn end_text(&mut self, hub: &mut Hub<'_>) {
        if self.text.take().is_some() {
            end(self.message, hub);
        }
    }

    /// The call that a node is: they came in the order of their numbers.
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
        let message = self.open(hub, MessageKind::Call(ToolKind::Function));
        if let Some(call) = self.called(node) {
            call.message = message;
            hub.emit(&Step::call(message, 0, &call.id, name, &[]));
        }
    }

    fn result(&mut self, node: Node, output: &str, hub: &mut Hub<'_>) {
        self.end_call(node, hub);
        let message = self.open(hub, MessageKind::Result(ToolKind::Function));
        if let Some(call) = self.called(node) {
            hub.emit(&Step::result(message, 0, &call.id, output));
        }
        end(message, hub);
    }

    fn ask(&mut self, hub: &mut Hub<'_>) {
        if let Some((id, reason, payload)) = self.interrupt.take() {
            let message = self.open(hub, MessageKind::Interrupt);
            let (id, reason, payload) = (&id, reason.as_deref(), &payload);
            hub.emit(&Step::interrupt(message, 0, id, reason, payload));
            end(message, hub);
        }
    }
}

/// A message with its one part is whole.
fn end(message: u32, hub: &mut Hub<'_>) {
    hub.emit(&Step::EndPart { message, part: 0, whole: true });
    hub.emit(&Step::Close { message, end: &MessageEnd::new(EndStatus::Completed) });
}

struct Telling<'t, 'o> {
    state: &'t mut State,
    hub: &'t mut Hub<'o>,
}

impl Sink for Telling<'_, '_> {
    fn open(&mut self, kind: Kind, _: Node, _: Key) {
        let Telling { state, hub } = self;
        state.node += 1;
        match kind {
            // It opens with its first piece.
            TextPart::KIND => {}
            ToolCall::KIND => state.calls.push((state.node, Call::default())),
            Interrupt::KIND => state.interrupt = Some(Default::default()),
            _ => state.end_text(hub),
        }
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        let Telling { state, hub } = self;
        let text = || if let SinkValue::Str(text) = value { text } else { "" };
        match key {
            Snapshot::status => state.status = Status::of(value).unwrap_or_default(),
            ErrorPart::message => state.error.message = text().to_owned(),
            ErrorPart::details => state.error.details = Some(text().to_owned()),
            ToolCall::tool_call_id => {
                if let Some(call) = state.called(node) {
                    call.id = text().to_owned();
                }
            }
            ToolCall::tool_call_name => state.call(node, text(), hub),
            ToolCall::result => state.result(node, text(), hub),
            ToolCall::state => state.end_call(node, hub),
            _ => {}
        }
        if let Some((id, reason, payload)) = &mut state.interrupt {
            match key {
                Interrupt::id => *id = text().to_owned(),
                Interrupt::reason => *reason = Some(text().to_owned()),
                Interrupt::payload => payload.set(value),
                _ => {}
            }
        }
    }

    fn append(&mut self, node: Node, key: Key, piece: &str) {
        let Telling { state, hub } = self;
        if key == TextPart::text {
            // A result has come in between, which is a message.
            if state.text != Some(node) {
                state.open(hub, MessageKind::Message);
                state.text = Some(node);
            }
            hub.emit(&Step::Text { message: state.message, part: 0, piece });
        } else if key == ToolCall::arguments
            && let Some(call) = state.called(node)
        {
            hub.emit(&Step::Arguments { message: call.message, part: 0, piece });
        }
    }

    // The fold of this protocol says nothing of these.
    fn set_extra(&mut self, _: Node, _: &str, _: Raw<'_>) {}
    fn set_in(&mut self, _: Node, _: Key, _: &[&str], _: SinkValue<'_>) {}
    fn append_in(&mut self, _: Node, _: Key, _: &[&str], _: &str) {}
    fn extend_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>) {}
    fn add_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>, _: bool) {}
    fn share(&mut self, _: Node, _: Key, _: Node, _: Key) {}
    fn move_last(&mut self, _: Node, _: Key, _: Node, _: usize) {}
    fn remove(&mut self, _: Node, _: Key, _: Node) {}
    fn arrange(&mut self, _: Node, _: Key, _: &[Node]) {}
}
