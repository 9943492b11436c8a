//! Creation of events: checks that an event is legal now, applies its changes, and writes its JSON.
//! Ends a stream in any state.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::WireEvent;
use super::check::{advance, refuse};
use super::run::{BuiltContent, BuiltRun, index_taken};
use crate::bytes::string_map::{Numbers, pair};
use crate::core::declare::model::member::{DeclaredObject, ListForm, Writing};
use crate::core::{PieceTemplate, UsageError};
#[cfg(feature = "hub")]
use crate::json::Value;
use crate::json::{Member, put, write_list};
use crate::protocols::agent_api::lifecycle::{self, ContentEventKind, ObjectPhase, StatusEffect};
use crate::protocols::agent_api::{Content, ContentType, ErrorInfo, Payload, RunStatus, rules};

/// The list of a response, and the list without a message.
const OUTPUT: &str = "\"output\":";
const NO_OUTPUT: &str = "\"output\":[]";

/// The initial capacity of an event in bytes, sufficient for most events.
const USUAL: usize = 256;

/// The end of a response or message.
pub(super) struct ObjectEnd {
    pub(super) status: RunStatus,
    pub(super) error: Option<ErrorInfo>,
    /// Further members.
    pub(super) extra: Vec<Member>,
}

impl ObjectEnd {
    pub(super) fn new(status: RunStatus, error: Option<ErrorInfo>) -> Self {
        ObjectEnd { status, error, extra: Vec::new() }
    }

    /// Creates an end with a terminal status, and the error that belongs to it.
    pub(super) fn terminal(status: RunStatus, error: Option<ErrorInfo>) -> Self {
        let unknown = || ErrorInfo::new("AGENT_UNKNOWN_ERROR", "Unknown agent error");
        match status {
            RunStatus::Completed | RunStatus::Canceled => Self::new(status, None),
            RunStatus::Failed => Self::new(status, error.or_else(|| Some(unknown()))),
            RunStatus::Rejected => Self::new(status, error),
            _ => Self::new(RunStatus::Incomplete, error),
        }
    }
}

impl BuiltRun {
    /// Creates a response event that does not end the response.
    pub(super) fn announce(
        &mut self,
        status: RunStatus,
        call: &str,
    ) -> Result<WireEvent, UsageError> {
        let step = lifecycle::response(self.phase, StatusEffect::of(&status));
        self.phase = advance(step, self.phase, call)?;
        self.response.status = status;
        Ok(self.write_response())
    }

    /// Creates the response event that ends the stream.
    pub(super) fn end(&mut self, end: ObjectEnd, call: &str) -> Result<WireEvent, UsageError> {
        let step = lifecycle::response(self.phase, StatusEffect::of(&end.status));
        let phase = advance(step, self.phase, call)?;
        if self.messages.iter().any(|entry| entry.is_open()) {
            return Err(refuse(&rules::MESSAGE_NOT_ENDED, call));
        }
        // The clock of the caller may panic: it is called before any change.
        let completed = end.status == RunStatus::Completed;
        self.response.completed_at = completed.then(self.settings.clock);
        self.phase = phase;
        self.response.status = end.status;
        self.response.error = end.error;
        self.response.extra.extend(end.extra);
        if self.response.usage.is_none() {
            let ended = self.ended.iter().rev().map(|&at| &self.messages[at].message);
            let last = ended.into_iter().find(|message| message.status == RunStatus::Completed);
            self.response.usage = last.and_then(|message| message.usage.clone());
        }
        let listed = self.listed();
        Ok(self.write_listing(&listed))
    }

    /// Creates a message event that does not end the message: its content is null (R17).
    pub(super) fn open(&mut self, at: usize, call: &str) -> Result<WireEvent, UsageError> {
        let phase = self.may_open(at, call)?;
        let entry = &mut self.messages[at];
        entry.phase = phase;
        entry.message.status = RunStatus::InProgress;
        Ok(self.write_message(at, ListForm::Null))
    }

    /// Returns the state after such an event, if it is legal now.
    pub(super) fn may_open(&self, at: usize, call: &str) -> Result<ObjectPhase, UsageError> {
        self.inside_response(call)?;
        let from = self.messages[at].phase;
        advance(lifecycle::message(from, StatusEffect::Start), from, call)
    }

    /// Creates the message event that ends the message and contains all of its parts (R19).
    pub(super) fn close(
        &mut self,
        at: usize,
        end: ObjectEnd,
        call: &str,
    ) -> Result<WireEvent, UsageError> {
        self.inside_response(call)?;
        let entry = &mut self.messages[at];
        let step = lifecycle::message(entry.phase, StatusEffect::of(&end.status));
        let phase = advance(step, entry.phase, call)?;
        if entry.parts.iter().any(BuiltContent::is_open) {
            return Err(refuse(&rules::PART_MISSING, call));
        }
        entry.phase = phase;
        entry.arrange(self.settings.part_order);
        self.ended.push(at);
        entry.message.status = end.status;
        entry.message.error = end.error;
        Ok(self.write_message(at, ListForm::NullIfEmpty))
    }

    /// Adds a piece to a text, and creates its event.
    pub(super) fn text_piece(&mut self, at: (usize, usize), piece: &str) -> WireEvent {
        let number = self.number();
        self.part(at).add_text(piece);
        let known = self.template.take().filter(|(known, _)| *known == at);
        let template = known.map_or_else(|| self.piece_template(at), |(_, template)| template);
        let event = template.event(number, piece);
        self.template = Some((at, template));
        event
    }

    /// Creates the template for the pieces of a text.
    pub(super) fn piece_template(&mut self, at: (usize, usize)) -> PieceTemplate {
        let kind = self.part(at).payload.as_deref().map(|payload| payload.content_type());
        let mut payload = Payload::empty(&kind.unwrap_or(ContentType::Text));
        fill_text(&mut payload);
        let (event, number) = self.empty_piece(at, payload);
        PieceTemplate::new(&event, number)
    }

    /// Returns the event of an empty piece, for a template, and the member with its number.
    fn empty_piece(
        &mut self,
        at: (usize, usize),
        payload: Payload,
    ) -> (WireEvent, Option<&'static str>) {
        let is_numbered = self.settings.numbering;
        let event = self.numbered_piece(at, payload, is_numbered.then_some(0));
        (event, is_numbered.then_some("sequence_number"))
    }

    /// Returns whether a content has had a piece, has not ended and has a template for further
    /// ones. Creates the template for pieces of this member of data.
    #[cfg(feature = "hub")]
    pub(super) fn keep_template(&mut self, at: (usize, usize), member: &str) -> bool {
        let part = self.part(at);
        if !part.pieces || !part.is_open() {
            return false;
        }
        let has_text = match part.payload.as_deref() {
            Some(Payload::Data { data: Some(data) }) => {
                data.get(member).is_some_and(|text| text.as_str().is_some())
            }
            _ => false,
        };
        let is_known = self.template.as_ref().is_some_and(|(known, _)| *known == at);
        if has_text && !is_known {
            let data = Some([(member, "".into())].into());
            let (event, number) = self.empty_piece(at, Payload::Data { data });
            self.template = Some((at, PieceTemplate::before(&event, number, "\"}}")));
        }
        has_text || is_known
    }

    /// Appends the events of further pieces with the template.
    #[cfg(feature = "hub")]
    pub(super) fn append_pieces(
        &mut self,
        at: (usize, usize),
        member: &str,
        (text, ends): (&str, &[usize]),
        out: &mut String,
    ) {
        let first = self.settings.numbering.then_some(self.next_number);
        if first.is_some() {
            self.next_number += ends.len() as i64;
        }
        let part = self.part(at);
        match part.payload.as_deref_mut() {
            Some(Payload::Data { data: Some(Value::Object(members)) }) => {
                let found = members.iter_mut().find(|known| known.key == member);
                if let Some(Member { value: Value::String(value), .. }) = found {
                    value.push_str(text);
                }
            }
            _ => part.add_text(text),
        }
        if let Some((_, template)) = self.template.as_ref().filter(|(known, _)| *known == at) {
            template.append(first, (text, ends), out);
        }
    }

    /// Creates the event of a further piece of a content; the caller has added it to the value.
    pub(super) fn piece(&mut self, at: (usize, usize), piece: Payload) -> WireEvent {
        let number = self.number();
        self.numbered_piece(at, piece, number)
    }

    fn numbered_piece(
        &mut self,
        at: (usize, usize),
        piece: Payload,
        number: Option<i64>,
    ) -> WireEvent {
        let (id, index) =
            (self.messages[at.0].message.id.as_str(), self.messages[at.0].parts[at.1].index);
        let mut content = Content::new(id, index, piece);
        content.sequence_number = number;
        self.write_content(&content, true)
    }

    /// Creates the event of the value of a content so far.
    pub(super) fn snapshot(&mut self, at: (usize, usize)) -> WireEvent {
        let number = self.number();
        let part = self.part(at);
        let Some(mut payload) = part.payload.take() else {
            return WireEvent::new(WireEvent::frame(0), None);
        };
        part.number = number;
        fill_text(&mut payload);
        let content = self.messages[at.0].content(at.1, *payload);
        let event = self.write_content(&content, false);
        self.part(at).payload = Some(Box::new(content.payload));
        event
    }

    /// Creates the event of the final value of a content, which becomes a part of its message with
    /// these further members.
    pub(super) fn complete(&mut self, at: (usize, usize), extra: Vec<Member>) -> WireEvent {
        let number = self.number();
        self.template.take_if(|(known, _)| *known == at);
        let part = self.part(at);
        let Some(mut payload) = part.payload.take() else {
            return WireEvent::new(WireEvent::frame(0), None);
        };
        part.number = number;
        fill_text(&mut payload);
        let mut content = self.messages[at.0].content(at.1, *payload);
        content.status = RunStatus::Completed;
        content.extra = extra;
        let event = self.write_content(&content, false);
        let parts = &mut self.messages[at.0].message.content;
        if parts.is_empty() {
            // Most messages have one.
            parts.reserve_exact(1);
        }
        parts.push(content);
        event
    }

    /// Checks that a content may have this event now; the first event assigns its index.
    pub(super) fn step(
        &mut self,
        at: (usize, usize),
        piece: ContentEventKind,
        call: &str,
    ) -> Result<(), UsageError> {
        self.inside_response(call)?;
        let entry = &mut self.messages[at.0];
        advance(lifecycle::inside_message(entry.phase), entry.phase, call)?;
        let part = &mut entry.parts[at.1];
        let phase = advance(lifecycle::content(part.phase, piece), part.phase, call)?;
        if part.phase == ObjectPhase::Absent {
            let next = entry.started;
            match part.wanted {
                Some(wanted) if wanted < next => return Err(index_taken(wanted, call)),
                Some(wanted) if wanted > next => return Err(refuse(&rules::INDEX_GAP, call)),
                _ => part.index = next,
            }
            entry.started += 1;
        }
        part.phase = phase;
        Ok(())
    }

    fn inside_response(&self, call: &str) -> Result<(), UsageError> {
        advance(lifecycle::inside_response(self.phase), self.phase, call).map(drop)
    }

    fn number(&mut self) -> Option<i64> {
        self.settings.numbering.then(|| {
            self.next_number += 1;
            self.next_number - 1
        })
    }

    /// Creates the response event that lists these messages. They are written from where they are:
    /// there can be very many.
    fn write_listing(&mut self, listed: &[usize]) -> WireEvent {
        if listed.is_empty() {
            return self.write_response();
        }
        self.response.sequence_number = self.number();
        let style = self.settings.style;
        let mut response = String::new();
        self.response.write(&mut response, style.writing(ListForm::Written));
        // Inside a JSON string a quote follows a backslash, and the members before the list have no
        // free JSON.
        let (before, after) = response.split_once(NO_OUTPUT).unwrap_or((&response, ""));
        WireEvent::written(
            response.len() + USUAL * listed.len(),
            self.response.sequence_number,
            |frame| {
                put(frame, before);
                put(frame, OUTPUT);
                let inside = style.writing(ListForm::NullIfEmpty);
                write_list(listed, frame, |at, out| self.messages[*at].message.write(out, inside));
                put(frame, after);
            },
        )
    }

    fn write_response(&mut self) -> WireEvent {
        self.response.sequence_number = self.number();
        let response = &self.response;
        let unset = response.output.is_empty() && response.status != RunStatus::Completed;
        let lists = if unset && self.settings.null_output {
            ListForm::Null
        } else {
            ListForm::NullIfEmptyInside
        };
        self.write(
            &self.response,
            self.response.sequence_number,
            self.settings.style.writing(lists),
        )
    }

    /// Creates the event of a message whose list is null, or is null if it is empty, as the runtime
    /// writes it.
    fn write_message(&mut self, at: usize, lists: ListForm) -> WireEvent {
        let number = self.number();
        self.messages[at].message.sequence_number = number;
        self.write(&self.messages[at].message, number, self.settings.style.writing(lists))
    }

    fn write_content(&self, content: &Content, is_piece: bool) -> WireEvent {
        let writing = Writing { is_piece, ..self.settings.style.writing(ListForm::Written) };
        self.write(content, content.sequence_number, writing)
    }

    fn write(
        &self,
        object: &impl DeclaredObject,
        number: Option<i64>,
        writing: Writing,
    ) -> WireEvent {
        WireEvent::written(USUAL, number, |frame| object.write(frame, writing))
    }
}

/// Replaces a missing text by an empty one, because null violates a rule (R29d).
pub(super) fn fill_text(payload: &mut Payload) {
    if let Payload::Text { text } | Payload::Refusal { refusal: text } = payload {
        text.get_or_insert_default();
    }
}

// Every step below is legal in its state, so that an `Err`, which would yield no event, does not
// occur.

const CALL: &str = "finish_with()";

impl BuiltRun {
    /// Ends the response in any state, with all of its open messages and contents.
    pub(super) fn finish(&mut self, end: ObjectEnd) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.phase == ObjectPhase::Ended {
            return events;
        }
        if self.phase == ObjectPhase::Absent {
            events.extend(self.announce(RunStatus::Created, CALL));
        }
        if self.phase == ObjectPhase::Waiting {
            events.extend(self.announce(RunStatus::InProgress, CALL));
        }
        for at in 0..self.messages.len() {
            events.extend(self.finish_message(at, end.status.clone(), end.error.clone()));
        }
        events.extend(self.end(end, CALL));
        events
    }

    /// Ends a message and its open contents; returns no events if the message is not open.
    pub(super) fn finish_message(
        &mut self,
        at: usize,
        status: RunStatus,
        error: Option<ErrorInfo>,
    ) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.phase != ObjectPhase::InProgress || !self.messages[at].is_open() {
            return events;
        }
        let parts = &self.messages[at].parts;
        let mut open = Numbers::default();
        for content in (0..parts.len()).filter(|&content| parts[content].is_open()) {
            open.insert(pair(parts[content].index, content as u32), ());
        }
        for content in open.sorted() {
            let content = content as u32 as usize;
            if self.step((at, content), ContentEventKind::Completed, CALL).is_ok() {
                events.push(self.complete((at, content), Vec::new()));
            }
        }
        events.extend(self.close(at, ObjectEnd::terminal(status, error), CALL));
        events
    }
}
