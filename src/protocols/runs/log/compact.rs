//! Pieces of one text, joined to one event.

use alloc::{borrow::ToOwned, string::String};

use super::entry::Entry;
use crate::core::Limits;
use crate::json::Document;

/// No more is added to an event of so many bytes: a reader should have something to show soon.
const LARGE: usize = 32 * 1024;

/// An event that adds a piece to a text, and those that were joined to it.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    number: u64,
    kind: String,
    /// The event, up to and with all that the joined pieces say, inside the quotes of the last.
    data: String,
    /// How much of it stands before what the pieces say.
    head: usize,
    /// What stands after it.
    tail: String,
}

impl Piece {
    /// The entry, if it is a piece of a text.
    pub fn of(entry: &Entry) -> Option<Self> {
        let (start, end) = span(entry)?;
        Some(Piece {
            number: entry.number,
            kind: entry.kind.clone(),
            data: entry.data[..end].to_owned(),
            head: start,
            tail: entry.data[end..].to_owned(),
        })
    }

    /// Adds the entry if it differs from this one in nothing but what the piece says.
    pub fn join(&mut self, entry: &Entry) -> bool {
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

    /// All of them as one event, under the number of the last.
    pub fn into_parts(mut self) -> (u64, String, String) {
        self.data.push_str(&self.tail);
        (self.number, self.kind, self.data)
    }
}

/// Where in the JSON the characters of `delta` stand, if the event adds a text of its own to something by it.
fn span(entry: &Entry) -> Option<(usize, usize)> {
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
