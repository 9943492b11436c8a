//! The order of the hub: whatever a source says, a target gets a run that begins, ends, and repeats nothing.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::event::{Event, MessageEnd, RunEnd};
use super::loss::Losses;
use crate::agent_api::{MessageType, Payload, Role, RunStatus, ToolFamily, ToolSide};

/// Where the steps go that are in order.
type Next<'n> = dyn FnMut(&Event<'_>, &mut Losses) + 'n;

/// A message and a part of it.
type At = (u32, u32);

#[derive(Debug, Default)]
pub(super) struct Gate {
    started: bool,
    ended: bool,
    messages: BTreeMap<u32, Message>,
    /// The part that the last piece was for: usually the next one's, too.
    latest: Option<(At, Kind)>,
    calls: BTreeMap<String, Call>,
    interrupts: BTreeSet<String>,
    /// How many messages there are that the source does not have.
    invented: u32,
}

#[derive(Debug)]
struct Message {
    r#type: MessageType,
    open: bool,
    /// Empty once the message has ended, but for those that went on elsewhere.
    parts: BTreeMap<u32, Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Open(Kind),
    /// It is this one.
    At(At),
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    /// Text of a message of type reasoning.
    Thought,
    Refusal,
    Call,
    /// A call that has had arguments.
    Called,
    // The others come in one step.
    Result,
    Interrupt,
    Data,
    Media,
}

#[derive(Debug)]
struct Call {
    at: At,
    answered: bool,
}

impl Kind {
    fn is_text(self) -> bool {
        matches!(self, Kind::Text | Kind::Thought | Kind::Refusal)
    }

    fn comes_whole(self) -> bool {
        matches!(self, Kind::Result | Kind::Interrupt | Kind::Data | Kind::Media)
    }

    /// Whether a message of that type may have such a part: what data means depends on it.
    fn suits(self, r#type: &MessageType) -> bool {
        let tool = r#type.tool();
        match self {
            Kind::Text | Kind::Thought | Kind::Refusal | Kind::Media => true,
            Kind::Interrupt => *r#type == MessageType::McpApprovalRequest,
            Kind::Data => tool.is_none() || *r#type == MessageType::McpApprovalResponse,
            Kind::Call | Kind::Called => {
                matches!(tool, Some((family, ToolSide::Call)) if family != ToolFamily::McpApproval)
            }
            Kind::Result => {
                matches!(tool, Some((family, ToolSide::Output)) if family != ToolFamily::McpApproval)
            }
        }
    }

    /// The type of a message that is made for it.
    fn own_type(self) -> (MessageType, Role) {
        match self {
            Kind::Thought => (MessageType::Reasoning, Role::Assistant),
            Kind::Call | Kind::Called => (MessageType::FunctionCall, Role::Assistant),
            Kind::Result => (MessageType::FunctionCallOutput, Role::Tool),
            Kind::Interrupt => (MessageType::McpApprovalRequest, Role::Assistant),
            Kind::Text | Kind::Refusal | Kind::Data | Kind::Media => (MessageType::Message, Role::Assistant),
        }
    }
}

impl Gate {
    pub(super) fn feed(&mut self, event: &Event<'_>, losses: &mut Losses, next: &mut Next<'_>) {
        if self.ended {
            if *event != Event::Heartbeat {
                losses.note("after-end", "", "the run had ended: left out");
            }
            return;
        }
        match *event {
            Event::Text { message, part, piece } => {
                self.speak((message, part), Kind::Text, piece, losses, next);
            }
            Event::Reasoning { message, part, piece } => {
                self.speak((message, part), Kind::Thought, piece, losses, next);
            }
            Event::Refusal { message, part, piece } => {
                self.speak((message, part), Kind::Refusal, piece, losses, next);
            }
            Event::Arguments { message, part, piece } => {
                self.arguments((message, part), piece, losses, next);
            }
            Event::Start { .. } => {
                if !core::mem::replace(&mut self.started, true) {
                    next(event, losses);
                }
            }
            Event::Heartbeat => next(event, losses),
            Event::Open { message, r#type, role, id } => {
                if self.messages.contains_key(&message) {
                    return losses.note("message-repeated", id.unwrap_or(""), "it was there: left as it was");
                }
                self.open(message, r#type, role, id, losses, next);
            }
            Event::Call { message, part, id, name, more } => {
                if let Some(call) = self.calls.get(id) {
                    let first = call.at;
                    return self.repeated_call((message, part), first, id, losses);
                }
                if let Some(at) = self.begin((message, part), Kind::Call, losses, next) {
                    self.calls.insert(id.to_owned(), Call { at, answered: false });
                    next(&Event::Call { message: at.0, part: at.1, id, name, more }, losses);
                }
            }
            Event::Result { message, part, id, name, output, more } => {
                if !self.answer(id, name, losses, next) {
                    return;
                }
                self.at_once((message, part), Kind::Result, losses, next, |(message, part)| Event::Result {
                    message,
                    part,
                    id,
                    name,
                    output,
                    more,
                });
            }
            Event::Interrupt { message, part, id, reason, payload } => {
                self.interrupts.insert(id.to_owned());
                self.at_once((message, part), Kind::Interrupt, losses, next, |(message, part)| {
                    Event::Interrupt { message, part, id, reason, payload }
                });
            }
            Event::Whole { message, part, payload } => {
                if self.answers_nothing(message, payload) {
                    return losses.note(
                        "approval-without-request",
                        "",
                        "no such question was asked: left out",
                    );
                }
                let is_data = matches!(payload, Payload::Data { .. });
                let kind = if is_data { Kind::Data } else { Kind::Media };
                self.at_once((message, part), kind, losses, next, |(message, part)| Event::Whole {
                    message,
                    part,
                    payload,
                });
            }
            Event::EndPart { message, part, whole } => self.end_part((message, part), whole, losses, next),
            Event::Close { message, end } => self.close(message, end, losses, next),
            Event::End(end) => {
                self.start(losses, next);
                self.close_all(&end.status, losses, next);
                self.ended = true;
                next(event, losses);
            }
        }
    }

    /// The source has nothing more to say: a run that has not ended, ends.
    pub(super) fn finish(&mut self, aborted: bool, losses: &mut Losses, next: &mut Next<'_>) {
        if !self.ended {
            let end = match aborted {
                true => RunEnd::new(RunStatus::Canceled),
                false => RunEnd::incomplete(RunEnd::CUT_OFF),
            };
            self.feed(&Event::End(&end), losses, next);
        }
    }

    fn start(&mut self, losses: &mut Losses, next: &mut Next<'_>) {
        if !core::mem::replace(&mut self.started, true) {
            next(&Event::Start { id: None, session_id: None }, losses);
        }
    }

    fn open(
        &mut self,
        message: u32,
        r#type: &MessageType,
        role: &Role,
        id: Option<&str>,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        self.start(losses, next);
        // Readers show nothing of a heartbeat; what opens here has something to say.
        let heartbeat = *r#type == MessageType::Heartbeat;
        let r#type = if heartbeat { &MessageType::Message } else { r#type };
        let state = Message { r#type: r#type.clone(), open: true, parts: BTreeMap::new() };
        self.messages.insert(message, state);
        next(&Event::Open { message, r#type, role, id }, losses);
    }

    /// Where a part is, and how far, if it has begun and its message has not ended.
    fn part(&mut self, mut at: At) -> Option<(At, &mut Part)> {
        if let Part::At(other) = self.messages.get(&at.0)?.parts.get(&at.1)? {
            at = *other;
        }
        Some((at, self.messages.get_mut(&at.0)?.parts.get_mut(&at.1)?))
    }

    /// A piece of text.
    fn speak(&mut self, at: At, mut kind: Kind, piece: &str, losses: &mut Losses, next: &mut Next<'_>) {
        if kind != Kind::Refusal && self.latest != Some((at, kind)) {
            let thought = |message: &Message| message.r#type == MessageType::Reasoning;
            kind = match self.messages.get(&at.0).map(thought) {
                Some(true) => Kind::Thought,
                Some(false) => Kind::Text,
                None => kind,
            };
        }
        let mut place = at;
        if self.latest != Some((at, kind)) {
            place = match self.part(at) {
                Some((place, part)) if *part == Part::Open(kind) => place,
                _ => match self.begin(at, kind, losses, next) {
                    Some(place) => place,
                    None => return,
                },
            };
            self.latest = Some((place, kind));
        }
        let (message, part) = place;
        next(
            &match kind {
                Kind::Thought => Event::Reasoning { message, part, piece },
                Kind::Refusal => Event::Refusal { message, part, piece },
                _ => Event::Text { message, part, piece },
            },
            losses,
        );
    }

    fn arguments(&mut self, at: At, piece: &str, losses: &mut Losses, next: &mut Next<'_>) {
        let mut place = at;
        if self.latest != Some((at, Kind::Called)) {
            place = match self.part(at) {
                Some((place, part @ Part::Open(Kind::Call | Kind::Called))) => {
                    *part = Part::Open(Kind::Called);
                    place
                }
                _ => return losses.note("arguments-without-call", "", "no call was open: left out"),
            };
            self.latest = Some((place, Kind::Called));
        }
        next(&Event::Arguments { message: place.0, part: place.1, piece }, losses);
    }

    /// A part that comes in one step.
    fn at_once<'e>(
        &mut self,
        at: At,
        kind: Kind,
        losses: &mut Losses,
        next: &mut Next<'_>,
        event: impl FnOnce(At) -> Event<'e>,
    ) {
        if let Some(at) = self.begin(at, kind, losses, next) {
            next(&event(at), losses);
            self.close_invented(at.0, losses, next);
        }
    }

    /// A new part: where it was said, or in a message of its own where that has ended or is of another type.
    fn begin(&mut self, at: At, kind: Kind, losses: &mut Losses, next: &mut Next<'_>) -> Option<At> {
        let (r#type, role) = kind.own_type();
        let (mut message, mut part) = at;
        match self.messages.get(&message) {
            None => self.open(message, &r#type, &role, None, losses, next),
            Some(state) if !kind.is_text() && state.parts.contains_key(&part) => {
                losses.note("part-repeated", "", "it had come: left as it was");
                return None;
            }
            Some(state) => {
                let suits = kind.suits(&state.r#type);
                if !suits || !state.open || state.parts.contains_key(&part) {
                    match suits {
                        true => {
                            losses.note("after-end", "", "its place had ended: it got a message of its own")
                        }
                        false => {
                            losses.note("message-type", "", "its message was of another type: it got its own")
                        }
                    }
                    // From the far end, where no source counts.
                    self.invented += 1;
                    (message, part) = (u32::MAX - self.invented, 0);
                    if let Some(state) = self.messages.get_mut(&at.0) {
                        state.parts.insert(at.1, Part::At((message, part)));
                    }
                    self.open(message, &r#type, &role, None, losses, next);
                }
            }
        }
        let state = if kind.comes_whole() { Part::Ended } else { Part::Open(kind) };
        self.messages.get_mut(&message)?.parts.insert(part, state);
        Some((message, part))
    }

    /// A call of an id that there was. Where the first one has no arguments yet, this one brings them: servers exist that
    /// open a call in one part and complete it in another. A client that got it twice would run it twice.
    fn repeated_call(&mut self, at: At, first: At, id: &str, losses: &mut Losses) {
        losses.note("call-repeated", id, "a call of that id had begun: they became one");
        let waits = matches!(self.part(first), Some((_, Part::Open(Kind::Call))));
        if let Some(state) = self.messages.get_mut(&at.0) {
            state.parts.entry(at.1).or_insert(if waits { Part::At(first) } else { Part::Ended });
        }
    }

    /// Whether a result may come. One without a call gets one.
    fn answer(&mut self, id: &str, name: Option<&str>, losses: &mut Losses, next: &mut Next<'_>) -> bool {
        if !self.calls.contains_key(id) {
            losses.note("call-missing", id, "a result needs its call: one without arguments was made");
            self.invented += 1;
            let message = u32::MAX - self.invented;
            let name = name.unwrap_or("");
            self.feed(&Event::Call { message, part: 0, id, name, more: &[] }, losses, next);
            self.end_part((message, 0), true, losses, next);
        }
        let answered = self.calls.get_mut(id).is_none_or(|call| core::mem::replace(&mut call.answered, true));
        if answered {
            losses.note("result-repeated", id, "a call has one result: the first one stays");
        }
        !answered
    }

    /// Whether this answers a question that nobody asked.
    fn answers_nothing(&self, message: u32, payload: &Payload) -> bool {
        let is_answer = |state: &Message| state.r#type == MessageType::McpApprovalResponse;
        let Payload::Data { data: Some(data) } = payload else { return false };
        let id = data.get("approval_request_id").and_then(|id| id.as_str());
        self.messages.get(&message).is_some_and(is_answer)
            && !id.is_some_and(|id| self.interrupts.contains(id))
    }

    fn end_part(&mut self, at: At, whole: bool, losses: &mut Losses, next: &mut Next<'_>) {
        if let Some(((message, part), state @ Part::Open(_))) = self.part(at) {
            *state = Part::Ended;
            self.latest = None;
            next(&Event::EndPart { message, part, whole }, losses);
            self.close_invented(message, losses, next);
        }
    }

    /// A message of ours has one part only.
    fn close_invented(&mut self, message: u32, losses: &mut Losses, next: &mut Next<'_>) {
        if message >= u32::MAX - self.invented {
            self.close(message, &MessageEnd::new(RunStatus::Completed), losses, next);
        }
    }

    fn close(&mut self, message: u32, end: &MessageEnd, losses: &mut Losses, next: &mut Next<'_>) {
        let Some(state) = self.messages.get_mut(&message).filter(|message| message.open) else { return };
        state.open = false;
        self.latest = None;
        let whole = end.status == RunStatus::Completed;
        let (elsewhere, here): (BTreeMap<_, _>, BTreeMap<_, _>) =
            core::mem::take(&mut state.parts).into_iter().partition(|(_, part)| matches!(part, Part::At(_)));
        state.parts = elsewhere;
        for (part, _) in here.into_iter().filter(|(_, part)| matches!(part, Part::Open(_))) {
            next(&Event::EndPart { message, part, whole }, losses);
        }
        next(&Event::Close { message, end }, losses);
    }

    /// The run ends, and its messages end the way it does. A call that has not ended is not whole by that: a client
    /// would run it.
    fn close_all(&mut self, status: &RunStatus, losses: &mut Losses, next: &mut Next<'_>) {
        let status = if status.is_terminal() { status.clone() } else { RunStatus::Incomplete };
        let is_call = |part: &Part| matches!(part, Part::Open(Kind::Call | Kind::Called));
        let open = self.messages.iter().filter(|(_, message)| message.open);
        let open: Vec<_> =
            open.map(|(number, message)| (*number, message.parts.values().any(is_call))).collect();
        for (message, calls) in open {
            let cut_off = calls && status == RunStatus::Completed;
            if calls && matches!(status, RunStatus::Completed | RunStatus::Incomplete) {
                losses.note(
                    "call-cut-off",
                    "",
                    "its arguments never ended: it is not whole, or clients would run it",
                );
            }
            let end = MessageEnd::new(if cut_off { RunStatus::Incomplete } else { status.clone() });
            self.close(message, &end, losses, next);
        }
    }
}
