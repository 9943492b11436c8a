//! The order of the hub: whatever a source says, a target gets a run that begins, ends, and repeats nothing.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
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
    calls: BTreeMap<String, Call>,
    interrupts: BTreeSet<String>,
    /// The messages in which parts go on that had ended.
    continued: BTreeMap<(u32, u32), u32>,
    /// How many messages there are that the source does not have.
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
    /// Says again what another part is: the call of the same id.
    Again(u32, u32),
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
    /// Comes in one step.
    Whole,
}

#[derive(Debug)]
struct Call {
    /// Its message and part.
    at: (u32, u32),
    answered: bool,
}

impl Kind {
    /// Text of a message; the message says which.
    fn is_text(self) -> bool {
        matches!(self, Kind::Text | Kind::Thought)
    }
}

impl Gate {
    pub fn has_ended(&self) -> bool {
        self.ended
    }

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
            Event::Call { message, part, id, .. } => {
                if let Some(call) = self.calls.get(id) {
                    let first = call.at;
                    return self.repeated_call((message, part), first, id, losses, next);
                }
                if self.begin(message, part, Kind::Call, &MessageType::FunctionCall, losses, next) {
                    self.calls.insert(id.to_owned(), Call { at: (message, part), answered: false });
                    next(event, losses);
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

    /// A piece of text. What comes behind the end of its part becomes a message of its own: no word is lost.
    fn speak(
        &mut self,
        at: (u32, u32),
        mut kind: Kind,
        piece: &str,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        let (mut message, mut part) = at;
        match self.latest {
            Some((m, p, known)) if (m, p) == at && (known == kind || known.is_text() && kind.is_text()) => {
                kind = known;
            }
            _ => {
                if kind.is_text()
                    && let Some(state) = self.messages.get(&message)
                {
                    kind = if state.reasons { Kind::Thought } else { Kind::Text };
                }
                let r#type =
                    if kind == Kind::Thought { MessageType::Reasoning } else { MessageType::Message };
                let mut open = self.is_open((message, part), kind);
                if !open && !self.has_room(at) {
                    if let Some(&more) = self.continued.get(&at) {
                        (message, part) = (more, 0);
                        open = self.is_open((message, part), kind);
                    }
                    if !open {
                        losses.note("after-end", "", "its part had ended: it became a message of its own");
                        (message, part) = (self.invent(), 0);
                        self.continued.insert(at, message);
                    }
                }
                if !open && !self.begin(message, part, kind, &r#type, losses, next) {
                    return;
                }
                self.latest = Some((message, part, kind));
            }
        }
        next(
            &match kind {
                Kind::Thought => Event::Reasoning { message, part, piece },
                Kind::Refusal => Event::Refusal { message, part, piece },
                _ => Event::Text { message, part, piece },
            },
            losses,
        );
    }

    fn is_open(&mut self, at: (u32, u32), kind: Kind) -> bool {
        self.part(at) == Some(&mut Part::Open(kind))
    }

    /// Whether a part can begin there.
    fn has_room(&self, (message, part): (u32, u32)) -> bool {
        self.messages.get(&message).is_none_or(|state| state.open && !state.parts.contains_key(&part))
    }

    /// A number for a message that the source does not have: from the far end, where no source counts.
    fn invent(&mut self) -> u32 {
        self.invented += 1;
        u32::MAX - self.invented
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
        if !self.has_room((message, part)) {
            losses.note("after-end", "", "the part or its message had ended: left out");
            return false;
        }
        let Some(state) = self.messages.get_mut(&message) else { return false };
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
        if known.is_some_and(|call| call.answered) {
            return losses.note("result-repeated", id, "a call has one result: the first one stays");
        }
        if known.is_none() {
            losses.note("call-missing", id, "a result needs its call: one without arguments was made");
            let call = self.invent();
            let start = Event::Call { message: call, part: 0, id, name: name.unwrap_or(""), more: &[] };
            self.feed(&start, losses, next);
            self.feed(&Event::EndPart { message: call, part: 0, whole: true }, losses, next);
            self.close(call, &MessageEnd::new(RunStatus::Completed), losses, next);
        }
        if !self.begin(message, part, Kind::Whole, &MessageType::FunctionCallOutput, losses, next) {
            return;
        }
        if let Some(call) = self.calls.get_mut(id) {
            call.answered = true;
        }
        next(&Event::Result { message, part, id, name, output, more }, losses);
    }

    fn arguments(&mut self, at: (u32, u32), piece: &str, losses: &mut Losses, next: &mut Next<'_>) {
        let (message, part) = match self.latest {
            Some((message, part, Kind::Called)) if (message, part) == at => at,
            _ => match self.part(at) {
                Some(Part::Open(Kind::Call | Kind::Called)) => at,
                Some(&mut Part::Again(message, part)) => (message, part),
                _ => return losses.note("arguments-without-call", "", "no call was open: left out"),
            },
        };
        if let Some(state @ Part::Open(Kind::Call | Kind::Called)) = self.part((message, part)) {
            *state = Part::Open(Kind::Called);
            self.latest = Some((message, part, Kind::Called));
            next(&Event::Arguments { message, part, piece }, losses);
        }
    }

    /// A call of an id that there was. Where the first one has no arguments yet, this one brings them: servers exist that
    /// open a call in one part and complete it in another. A client that got it twice would run it twice.
    fn repeated_call(
        &mut self,
        (message, part): (u32, u32),
        first: (u32, u32),
        id: &str,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        losses.note("call-repeated", id, "a call of that id had begun: they became one");
        if !self.begin(message, part, Kind::Whole, &MessageType::FunctionCall, losses, next) {
            return;
        }
        if let Some(Part::Open(Kind::Call)) = self.part(first)
            && let Some(part) = self.part((message, part))
        {
            *part = Part::Again(first.0, first.1);
        }
    }

    fn part(&mut self, (message, part): (u32, u32)) -> Option<&mut Part> {
        self.messages.get_mut(&message)?.parts.get_mut(&part)
    }

    /// Whether this answers a question that nobody asked.
    fn answers_nothing(&self, message: u32, payload: &Payload) -> bool {
        let answers = self.messages.get(&message).is_some_and(|message| message.answers_approval);
        let Payload::Data { data: Some(data) } = payload else { return false };
        let id = data.get("approval_request_id").and_then(|id| id.as_str());
        answers && !id.is_some_and(|id| self.interrupts.contains(id))
    }

    fn end_part(&mut self, at: (u32, u32), whole: bool, losses: &mut Losses, next: &mut Next<'_>) {
        let (message, part) = match self.part(at) {
            Some(&mut Part::Again(message, part)) => (message, part),
            _ => at,
        };
        if let Some(&more) = self.continued.get(&at) {
            return self.close(more, &MessageEnd::new(RunStatus::Completed), losses, next);
        }
        if let Some(state @ Part::Open(_)) = self.part((message, part)) {
            *state = Part::Ended;
            self.latest = None;
            next(&Event::EndPart { message, part, whole }, losses);
        }
    }

    fn close(&mut self, message: u32, end: &MessageEnd, losses: &mut Losses, next: &mut Next<'_>) {
        let Some(state) = self.messages.get_mut(&message).filter(|message| message.open) else { return };
        state.open = false;
        self.latest = None;
        let whole = end.status == RunStatus::Completed;
        for (part, state) in core::mem::take(&mut state.parts) {
            if let Part::Open(_) = state {
                next(&Event::EndPart { message, part, whole }, losses);
            }
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
