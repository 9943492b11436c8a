//! One event of a log, and the compaction of its deltas.

use crate::core::Limits;
use crate::json::Document;
use crate::protocols::runs::cursor::Cursor;
use crate::sse;
use alloc::borrow::ToOwned;
use alloc::string::String;
#[cfg(feature = "runs-server")]
use alloc::vec::Vec;

/// An event of a run, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    /// The place in the thread's log; the first is 1. Later entries have larger numbers.
    pub number: u64,
    /// The id of the run.
    pub run_id: String,
    /// The event's `type`.
    pub kind: String,
    /// The event, as JSON.
    pub data: String,
}

/// Appends the bytes of an event's frame: `id`, `event` and `data` lines and the blank one.
pub fn frame(out: &mut String, generation: &str, number: u64, kind: &str, data: &str) {
    sse::event(out, Some(&Cursor::text(generation, number)), Some(kind), data);
}

/// The size in bytes from which an event is sent without further pieces: readers should receive a
/// part of the text soon.
const LARGE: usize = 32 * 1024;

/// An event that adds a piece to a text, and the events that were joined to it.
#[derive(Clone, Debug)]
pub(super) struct LogPiece {
    number: u64,
    kind: String,
    /// The JSON of the event, up to the last character of the joined pieces.
    data: String,
    /// The length of `data` before the pieces, in bytes.
    head: usize,
    /// The JSON after the pieces.
    tail: String,
}

impl LogPiece {
    /// Returns the piece of an entry, `None` if it does not add to a text.
    pub fn of(entry: &StoredEvent) -> Option<Self> {
        let (start, end) = span(entry)?;
        Some(LogPiece {
            number: entry.number,
            kind: entry.kind.clone(),
            data: entry.data[..end].to_owned(),
            head: start,
            tail: entry.data[end..].to_owned(),
        })
    }

    /// Adds an entry that differs from this one only in the piece. Returns whether it was added.
    pub fn join(&mut self, entry: &StoredEvent) -> bool {
        let fits = self.data.len() + entry.data.len() <= LARGE && self.kind == entry.kind;
        let Some((start, end)) = fits.then(|| span(entry)).flatten() else { return false };
        if entry.data[..start] != self.data[..self.head] || entry.data[end..] != *self.tail {
            return false;
        }
        // Two halves of a surrogate pair become the pair.
        self.data.push_str(&entry.data[start..end]);
        self.number = entry.number;
        true
    }

    /// Returns the number of the last event, the type, and the JSON of the joined event.
    pub fn into_parts(mut self) -> (u64, String, String) {
        self.data.push_str(&self.tail);
        (self.number, self.kind, self.data)
    }
}

/// Returns the range of the characters of `delta` in the JSON, if the event adds a text to an item.
fn span(entry: &StoredEvent) -> Option<(usize, usize)> {
    let adds = matches!(
        &*entry.kind,
        "TEXT_MESSAGE_CONTENT"
            | "TOOL_CALL_ARGS"
            | "REASONING_MESSAGE_CONTENT"
            | "THINKING_TEXT_MESSAGE_CONTENT"
    );
    if !adds {
        return None;
    }
    let document = Document::read(&entry.data, Limits::DEEPEST).ok()?;
    let mut found = None;
    for (key, value) in document.root().object().ok()? {
        if key.to_str() != "delta" {
            continue;
        }
        if found.is_some() {
            return None;
        }
        value.string().ok()?;
        let start = value.offset() + 1;
        found = Some((start, start + value.raw().as_str().len() - 2));
    }
    found
}

/// Joins the pieces of texts in the log of a run that has ended, as a
/// [`Subscription`](super::Subscription) sends them.
#[cfg(feature = "runs-server")]
#[derive(Debug, Default)]
pub(crate) struct Joining {
    joined: Vec<(StoredEvent, Vec<usize>)>,
    piece: Option<(LogPiece, Vec<usize>)>,
}

#[cfg(feature = "runs-server")]
impl Joining {
    /// Adds the next entry.
    pub fn add(&mut self, entry: StoredEvent) {
        let length = span(&entry).map_or(0, |(start, end)| units(&entry.data[start..end]));
        if let Some((piece, lengths)) = &mut self.piece
            && piece.join(&entry)
        {
            lengths.push(length);
            return;
        }
        self.flush(&entry.run_id);
        match LogPiece::of(&entry) {
            Some(piece) => self.piece = Some((piece, alloc::vec![length])),
            None => self.joined.push((entry, Vec::new())),
        }
    }

    /// Returns the entries, each with the lengths of the pieces that were joined to it, in UTF-16: see
    /// [`without_units`].
    pub fn end(mut self) -> Vec<(StoredEvent, Vec<usize>)> {
        let run_id =
            self.joined.first().map_or_else(String::new, |(entry, _)| entry.run_id.clone());
        self.flush(&run_id);
        self.joined
    }

    fn flush(&mut self, run_id: &str) {
        if let Some((piece, lengths)) = self.piece.take() {
            let (number, kind, data) = piece.into_parts();
            self.joined
                .push((StoredEvent { number, run_id: run_id.to_owned(), kind, data }, lengths));
        }
    }
}

/// Returns an entry of joined pieces without the first ones, which have that length together, in
/// UTF-16.
#[cfg(feature = "store")]
pub(crate) fn without_units(mut entry: StoredEvent, length: usize) -> StoredEvent {
    if let Some((start, end)) = span(&entry) {
        let (place, half) = place_after(&entry.data[start..end], length);
        entry.data.replace_range(start..start + place, &half);
    }
    entry
}

/// Returns the length of a text in UTF-16, by its JSON without quotes.
#[cfg(feature = "runs-server")]
fn units(json: &str) -> usize {
    let (mut length, mut rest) = (0, json);
    while let Some((_, after, units)) = first_of(rest) {
        (length, rest) = (length + units, after);
    }
    length
}

/// Returns the place in JSON without quotes after so many units of UTF-16, and if that is within a
/// character, the escape of its second half, which is before that place.
#[cfg(feature = "store")]
fn place_after(json: &str, length: usize) -> (usize, String) {
    let (mut left, mut rest) = (length, json);
    while left > 0
        && let Some((one, after, units)) = first_of(rest)
    {
        rest = after;
        if units > left {
            let mut halves = [0; 2];
            let half = one.chars().next().map_or(0, |one| one.encode_utf16(&mut halves)[1]);
            return (json.len() - rest.len(), alloc::format!("\\u{half:04x}"));
        }
        left -= units;
    }
    (json.len() - rest.len(), String::new())
}

/// Returns the first character or escape of JSON without quotes, what follows it, and its length in
/// UTF-16.
#[cfg(feature = "store")]
fn first_of(json: &str) -> Option<(&str, &str, usize)> {
    let first = json.chars().next()?;
    let (length, units) = match first {
        '\\' if json.as_bytes().get(1) == Some(&b'u') => (6, 1),
        '\\' => (2, 1),
        _ => (first.len_utf8(), first.len_utf16()),
    };
    let (one, after) = json.split_at_checked(length)?;
    Some((one, after, units))
}
