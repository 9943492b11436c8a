//! The order of the hub: whatever a source says, a target gets a run that begins, ends, and repeats nothing.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::event::{Event, MessageEnd, RunEnd};
use super::loss::Losses;
use crate::agent_api::{MessageType, Payload, Role, RunStatus};

/// Where the steps go that are in order.
type Next<'n> = dyn FnMut(&Event<'_>, &mut Losses) + 'n;

#[derive(Debug, Default)]
pub(super) struct Gate {
    started: bool,
    ended: bool,
    messages: BTreeMap<u32, Message>,
    /// The part that the last piece was for: usually the next one's, too.
    latest: Option<(u32, u32, Kind)>,
    calls: BTreeMap<String, Calls>,
    /// The ids that calls have got.
    names: BTreeSet<String>,
    interrupts: BTreeSet<String>,
    /// The next number for a message that the source has not said.
    invented: u32,
}

#[derive(Debug)]
struct Message {
    /// What a piece of text is in it.
    reasons: bool,
    answers_approval: bool,
    open: bool,
    parts: BTreeMap<u32, Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Open(Kind),
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    /// Text of a message of type reasoning.
    Thought,
    Refusal,
    Call,
    /// Comes in one step.
    Whole,
}

/// The calls for which the source has one id: the ids that they got, and how many have a result.
#[derive(Debug, Default)]
struct Calls {
    names: Vec<String>,
    answered: usize,
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
            Event::Start { .. } => {
                if !core::mem::replace(&mut self.started, true) {
                    next(event, losses);
                }
            }
            Event::Heartbeat => next(event, losses),
            Event::Open { message, r#type, role, id } => {
                if self.messages.contains_key(&message) {
                    return losses.note("message-reopened", id.unwrap_or(""), "it was there: left as it was");
                }
                self.open(message, r#type, role, id, losses, next);
            }
            Event::Text { message, part, piece } => {
                self.text((message, part, piece), &MessageType::Message, losses, next);
            }
            Event::Reasoning { message, part, piece } => {
                self.text((message, part, piece), &MessageType::Reasoning, losses, next);
            }
            Event::Refusal { message, part, .. } => {
                if self.piece(message, part, Kind::Refusal, &MessageType::Message, losses, next) {
                    next(event, losses);
                }
            }
            Event::Arguments { message, part, .. } => {
                if self.latest == Some((message, part, Kind::Call)) || self.is_open(message, part, Kind::Call)
                {
                    self.latest = Some((message, part, Kind::Call));
                    next(event, losses);
                } else {
                    losses.note("arguments-without-call", "", "no call was open: left out");
                }
            }
            Event::Call { message, part, id, name, more } => {
                if self.begin(message, part, Kind::Call, &MessageType::FunctionCall, losses, next) {
                    let own = self.name_call(id);
                    if own != id {
                        losses.note("call-id-repeated", id, "ids are used once: the call got another one");
                    }
                    next(&Event::Call { message, part, id: &own, name, more }, losses);
                }
            }
            Event::Result { message, part, id, name, output, more } => {
                self.result(message, part, (id, name, output), more, losses, next);
            }
            Event::Interrupt { message, part, id, .. } => {
                let kind = MessageType::McpApprovalRequest;
                if self.begin(message, part, Kind::Whole, &kind, losses, next) {
                    self.interrupts.insert(id.to_owned());
                    next(event, losses);
                }
            }
            Event::Whole { message, part, payload } => {
                if self.begin(message, part, Kind::Whole, &MessageType::Message, losses, next) {
                    if !self.answers_nothing(message, payload) {
                        return next(event, losses);
                    }
                    losses.note("approval-without-request", "", "no such question was asked: left out");
                }
            }
            Event::EndPart { message, part, .. } => self.end_part(message, part, event, losses, next),
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
                false => RunEnd::incomplete("eof"),
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
        let reasons = *r#type == MessageType::Reasoning;
        let answers_approval = *r#type == MessageType::McpApprovalResponse;
        let state = Message { reasons, answers_approval, open: true, parts: BTreeMap::new() };
        self.messages.insert(message, state);
        next(&Event::Open { message, r#type, role, id }, losses);
    }

    /// A piece of text: an answer or a thought, as the message is.
    fn text(
        &mut self,
        (message, part, piece): (u32, u32, &str),
        r#type: &MessageType,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        let kind = match self.latest {
            Some((m, p, kind @ (Kind::Text | Kind::Thought))) if (m, p) == (message, part) => kind,
            _ => {
                let known = self.messages.get(&message).map(|message| message.reasons);
                let thought = known.unwrap_or(*r#type == MessageType::Reasoning);
                let kind = if thought { Kind::Thought } else { Kind::Text };
                if !self.piece(message, part, kind, r#type, losses, next) {
                    return;
                }
                kind
            }
        };
        match kind {
            Kind::Thought => next(&Event::Reasoning { message, part, piece }, losses),
            _ => next(&Event::Text { message, part, piece }, losses),
        }
    }

    /// A piece of a part that grows; false when it comes too late.
    fn piece(
        &mut self,
        message: u32,
        part: u32,
        kind: Kind,
        r#type: &MessageType,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) -> bool {
        self.latest == Some((message, part, kind))
            || self.is_open(message, part, kind)
            || self.begin(message, part, kind, r#type, losses, next)
    }

    fn is_open(&self, message: u32, part: u32, kind: Kind) -> bool {
        let part = self.messages.get(&message).and_then(|message| message.parts.get(&part));
        part == Some(&Part::Open(kind))
    }

    /// A new part, in a message that is opened if need be; false when there is no place for it.
    fn begin(
        &mut self,
        message: u32,
        part: u32,
        kind: Kind,
        r#type: &MessageType,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) -> bool {
        if !self.messages.contains_key(&message) {
            let role = match r#type {
                MessageType::FunctionCallOutput => Role::Tool,
                _ => Role::Assistant,
            };
            self.open(message, r#type, &role, None, losses, next);
        }
        let Some(state) = self.messages.get_mut(&message) else { return false };
        if !state.open || state.parts.contains_key(&part) {
            losses.note("after-end", "", "the part or its message had ended: left out");
            return false;
        }
        state.parts.insert(part, if kind == Kind::Whole { Part::Ended } else { Part::Open(kind) });
        if kind != Kind::Whole {
            self.latest = Some((message, part, kind));
        }
        true
    }

    /// A result belongs to the first call of its id that has none.
    fn result(
        &mut self,
        message: u32,
        part: u32,
        (id, name, output): (&str, Option<&str>, &str),
        more: &[crate::json::Member],
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        let known = self.calls.get(id);
        if known.is_some_and(|calls| calls.answered == calls.names.len()) {
            return losses.note("result-repeated", id, "a call has one result: the first one stays");
        }
        if known.is_none() {
            losses.note("call-missing", id, "a result needs its call: one without arguments was made");
            // From the far end, where no source counts.
            self.invented += 1;
            let call = u32::MAX - self.invented;
            let start = Event::Call { message: call, part: 0, id, name: name.unwrap_or(""), more: &[] };
            self.feed(&start, losses, next);
            self.feed(&Event::EndPart { message: call, part: 0, whole: true }, losses, next);
            self.close(call, &MessageEnd::new(RunStatus::Completed), losses, next);
        }
        if !self.begin(message, part, Kind::Whole, &MessageType::FunctionCallOutput, losses, next) {
            return;
        }
        if let Some(calls) = self.calls.get_mut(id)
            && let Some(id) = calls.names.get(calls.answered)
        {
            calls.answered += 1;
            next(&Event::Result { message, part, id, name, output, more }, losses);
        }
    }

    /// The id that a call gets: its own, unless another one has it.
    fn name_call(&mut self, id: &str) -> String {
        let calls = self.calls.entry(id.to_owned()).or_default();
        let mut name = id.to_owned();
        let mut number = calls.names.len();
        while !self.names.insert(name.clone()) {
            number += 1;
            name = id.to_owned() + "#" + &number.to_string();
        }
        calls.names.push(name.clone());
        name
    }

    /// Whether this answers a question that nobody asked.
    fn answers_nothing(&self, message: u32, payload: &Payload) -> bool {
        let answers = self.messages.get(&message).is_some_and(|message| message.answers_approval);
        let Payload::Data { data: Some(data) } = payload else { return false };
        let id = data.get("approval_request_id").and_then(|id| id.as_str());
        answers && !id.is_some_and(|id| self.interrupts.contains(id))
    }

    fn end_part(
        &mut self,
        message: u32,
        part: u32,
        event: &Event<'_>,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        let Some(state) = self.messages.get_mut(&message) else { return };
        if let Some(part @ Part::Open(_)) = state.parts.get_mut(&part) {
            *part = Part::Ended;
            self.latest = None;
            next(event, losses);
        }
    }

    fn close(&mut self, message: u32, end: &MessageEnd, losses: &mut Losses, next: &mut Next<'_>) {
        let Some(state) = self.messages.get_mut(&message).filter(|message| message.open) else { return };
        state.open = false;
        self.latest = None;
        let whole = end.status == RunStatus::Completed;
        for (part, _) in core::mem::take(&mut state.parts).into_iter().filter(|(_, p)| *p != Part::Ended) {
            next(&Event::EndPart { message, part, whole }, losses);
        }
        next(&Event::Close { message, end }, losses);
    }

    fn close_all(&mut self, status: &RunStatus, losses: &mut Losses, next: &mut Next<'_>) {
        let end = MessageEnd::new(if status.is_terminal() { status.clone() } else { RunStatus::Incomplete });
        let open: Vec<u32> =
            self.messages.iter().filter(|(_, m)| m.open).map(|(number, _)| *number).collect();
        for message in open {
            self.close(message, &end, losses, next);
        }
    }
}
