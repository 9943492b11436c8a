//! The log of one run: its request, then its events in batches, and at the end the messages of the
//! answer. A batch is one entry, whose position depends on the number of its last event, so that a
//! reader finds the entry of an event without an index.

use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::json::{list_of, number_of, object_list};
use super::texts::{original, place_of, storable, stringified, units};
use crate::core::limits::Limits;
use crate::json::Value;
use crate::protocols::runs::log::{StoredEvent, without_units};
use crate::stores::LogEntry;

/// The positions before the first event, which the request has: the event with the number `n` has
/// the position `n + REQUEST`.
const REQUEST: u64 = 64;
/// The maximum length of an entry, in bytes of the texts of its events.
const BYTES: usize = 600_000;

/// An event to store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NewEvent {
    /// The event's `type`, or the kind of another entry.
    pub kind: String,
    /// The event, as JSON, or another text.
    pub data: String,
    /// The lengths of the pieces that were joined, in UTF-16; empty if it was not joined.
    pub pieces: Vec<usize>,
}

impl NewEvent {
    pub fn new(kind: impl Into<String>, data: impl Into<String>) -> Self {
        NewEvent { kind: kind.into(), data: data.into(), pieces: Vec::new() }
    }

    /// Returns the number of events of which it consists.
    fn count(&self) -> u64 {
        self.pieces.len().max(1) as u64
    }
}

/// Returns the position of the event with that number.
pub(super) fn position_of(number: u64) -> u64 {
    number.saturating_add(REQUEST)
}

/// Returns the number of the event with that position.
pub(super) fn number_at(position: u64) -> u64 {
    position.saturating_sub(REQUEST)
}

/// Returns the entries of events that follow the event with that number.
pub(super) fn batches(before: u64, events: &[NewEvent]) -> Vec<LogEntry> {
    let mut entries = Vec::new();
    let (mut from, mut size, mut first, mut last) = (0, 0, before, before);
    for (at, event) in events.iter().enumerate() {
        if size > 0 && size + event.data.len() > BYTES {
            let text = encoded(first, &events[from..at]);
            entries.push(LogEntry { position: position_of(last), text });
            (from, size, first) = (at, 0, last);
        }
        size += event.data.len();
        last += event.count();
    }
    entries.push(LogEntry { position: position_of(last), text: encoded(first, &events[from..]) });
    entries
}

/// Returns the text of a batch: a line with the number before its first event, the kinds, the kind
/// of each event, the length of each and, if some are joined, the pieces of each; and the events.
fn encoded(before: u64, events: &[NewEvent]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    let mut kind_of = Vec::new();
    for event in events {
        let known = kinds.iter().position(|kind| *kind == event.kind);
        kind_of.push(known.unwrap_or(kinds.len()));
        if known.is_none() {
            kinds.push(&event.kind);
        }
    }
    let mut head = format!("[{before},");
    object_list(&mut head, &kinds, |kind, out| *out += &stringified(kind));
    head.push(',');
    object_list(&mut head, &kind_of, |at, out| *out += &format!("{at}"));
    head.push(',');
    object_list(&mut head, events, |event, out| *out += &format!("{}", units(&event.data)));
    if events.iter().any(|event| !event.pieces.is_empty()) {
        head.push(',');
        object_list(&mut head, events, |event, out| match &*event.pieces {
            [] => out.push_str("null"),
            pieces => object_list(out, pieces, |length, out| *out += &format!("{length}")),
        });
    }
    head.push_str("]\n");
    let texts: String = events.iter().map(|event| &*event.data).collect();
    head + &storable(&texts)
}

/// An event of a log, which may be shortened.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LoggedEvent {
    pub event: StoredEvent,
    pub pieces: Vec<usize>,
}

/// Returns the events of an entry; none for an entry of a request or of messages.
pub(super) fn events_in(text: &str, run_id: &str) -> Vec<LoggedEvent> {
    let Some((head, texts)) = text.strip_prefix('[').and_then(|_| text.split_once('\n')) else {
        return Vec::new();
    };
    let Ok(Value::Array(head)) = Value::parse(head, Limits::DEEPEST) else { return Vec::new() };
    let texts = original(texts);
    let mut rest = &*texts;
    let mut number = head.first().map_or(0, number_of);
    let kinds = list_of(head.get(1));
    let pieces = list_of(head.get(4));
    let mut events = Vec::new();
    for (at, (kind, length)) in list_of(head.get(2)).iter().zip(list_of(head.get(3))).enumerate() {
        let pieces: Vec<usize> =
            list_of(pieces.get(at)).iter().map(|length| number_of(length) as usize).collect();
        number += pieces.len().max(1) as u64;
        let (data, after) = rest.split_at(place_of(rest, number_of(length) as usize));
        rest = after;
        let kind = kinds.get(number_of(kind) as usize).and_then(Value::as_str).unwrap_or_default();
        let (run_id, kind, data) = (run_id.to_owned(), kind.to_owned(), data.to_owned());
        events.push(LoggedEvent { event: StoredEvent { number, run_id, kind, data }, pieces });
    }
    events
}

/// Returns an event that follows a place of the log, without the pieces up to that place.
pub(super) fn after_place(LoggedEvent { event, pieces }: LoggedEvent, after: u64) -> StoredEvent {
    let first = event.number.saturating_sub(pieces.len() as u64);
    let known = usize::try_from(after.saturating_sub(first)).unwrap_or(usize::MAX);
    match pieces.iter().take(known).sum() {
        0 => event,
        length => without_units(event, length),
    }
}

/// Returns a JSON text as entries with ascending positions: one, or several for a text that is
/// large.
pub(super) fn entries_of(text: &str, position: u64) -> Vec<LogEntry> {
    let mut entries = Vec::new();
    let mut rest = text;
    loop {
        let mut end = rest.len().min(BYTES);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (part, after) = rest.split_at(end);
        let mark = if after.is_empty() { "=" } else { "+" };
        let position = position + entries.len() as u64;
        entries.push(LogEntry { position, text: [mark, part].concat() });
        rest = after;
        if rest.is_empty() {
            return entries;
        }
    }
}

/// Returns the texts in entries, each with the position of its last entry; those of events are
/// omitted.
pub(super) fn texts_in<'a>(entries: impl IntoIterator<Item = &'a LogEntry>) -> Vec<LogEntry> {
    let mut texts = Vec::new();
    let mut parts = String::new();
    for LogEntry { position, text } in entries {
        if let Some(last) = text.strip_prefix('=') {
            let text = core::mem::take(&mut parts) + last;
            texts.push(LogEntry { position: *position, text });
        } else if let Some(part) = text.strip_prefix('+') {
            parts += part;
        }
    }
    texts
}
