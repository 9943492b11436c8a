//! Text outside of events: JSON whose end its brackets show, and lines of other text.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::decode::{Decoder, ItemHandler, LimitExceeded, text};
use super::event::{Loose, StreamItem};
use crate::bytes::Balance;

/// The beginning of a JSON value whose end is in a later line.
#[derive(Clone, Debug, Default)]
pub(super) struct LooseJson {
    text: Vec<u8>,
    balance: Balance,
    /// Stream offset of its first byte.
    start: u64,
    /// It exceeded the limit of an event.
    is_dropped: bool,
}

impl Decoder {
    /// Reads a line, at stream offset `start`, that begins or continues JSON outside of an event.
    pub(super) fn loose_line(&mut self, line: &[u8], start: u64, on: ItemHandler<'_>) {
        self.event_start.get_or_insert(start);
        let mut loose = self.loose.take().unwrap_or_default();
        let mut at = 0;
        while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
            let here = start + at as u64;
            if !loose.balance.is_inside() {
                match rest[0] {
                    b'{' | b'[' if begins_json(rest) => {
                        *loose = LooseJson { start: here, ..LooseJson::default() };
                    }
                    b' ' | b'\t' | b',' => {
                        at += 1;
                        continue;
                    }
                    _ => {
                        loose_text(rest, here, on);
                        break;
                    }
                }
            }
            let end = loose.balance.end(rest);
            let (piece, end) = rest.split_at(end.unwrap_or(rest.len()));
            at = line.len() - end.len();
            if loose.text.len() + piece.len() > self.event_bytes && !loose.is_dropped {
                (loose.is_dropped, loose.text) = (true, Vec::new());
                let (limit, allowed) = ("event_bytes", self.event_bytes as u64);
                on(StreamItem::Oversize(LimitExceeded { limit, allowed, offset: loose.start }));
            }
            if loose.is_dropped {
                continue;
            }
            if loose.text.is_empty() && !loose.balance.is_inside() {
                emit(piece, true, loose.start, on);
            } else {
                loose.text.extend_from_slice(piece);
                if !loose.balance.is_inside() {
                    emit(&loose.text, true, loose.start, on);
                }
            }
        }
        if loose.balance.is_inside() {
            if !loose.is_dropped {
                loose.text.push(b'\n');
            }
            self.loose = Some(loose);
            // The blank line of an event that has begun is not one inside of a JSON value.
            if self.has_begun()
                && let Some(loose) = self.loose.take()
            {
                loose_text(&loose.text, loose.start, on);
            }
        } else if !self.has_begun() {
            self.event_start = None;
        }
    }

    /// Reports whether the current block has a field of an event.
    fn has_begun(&self) -> bool {
        self.has_data || !self.name.is_empty() || self.pending_id.is_some()
    }

    /// Ends a JSON value that does not end by itself.
    pub(super) fn end_loose(&mut self, on: ItemHandler<'_>) {
        if let Some(loose) = self.loose.take().filter(|loose| !loose.is_dropped) {
            emit(loose.text.trim_ascii_end(), true, loose.start, on);
        }
    }
}

/// Returns whether an object or a list may begin a line: `[info]` is no JSON.
fn begins_json(line: &[u8]) -> bool {
    let inner = line.iter().position(|byte| !matches!(byte, b'[' | b' ' | b'\t'));
    let Some(inner) = inner.map(|at| &line[at..]) else { return true };
    match inner[0] {
        b'{' => matches!(inner[1..].trim_ascii_start().first(), None | Some(b'"' | b'}')),
        b']' | b'"' | b'-' | b'0'..=b'9' => true,
        _ => {
            ["true", "false", "null", "DONE"].iter().any(|word| inner.starts_with(word.as_bytes()))
        }
    }
}

/// Emits a line of text that is not a field, unless it is blank.
pub(super) fn loose_text(line: &[u8], start: u64, on: ItemHandler<'_>) {
    let text = line.trim_ascii();
    if !text.is_empty() {
        emit(text, false, start + (line.len() - line.trim_ascii_start().len()) as u64, on);
    }
}

fn emit(bytes: &[u8], is_json: bool, offset: u64, on: ItemHandler<'_>) {
    let text = text(bytes);
    let (replaced, end) = (matches!(text, Cow::Owned(_)), offset + bytes.len() as u64);
    on(StreamItem::Loose(Loose { text: &text, is_json, replaced, offset, end }));
}
