//! Events in their wire format, as the writers of all protocols return them.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::bytes::{between, put};
use crate::json::{push_integer, write_escaped};
use core::fmt;

/// One event in its exact wire format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an event that is not sent is missing from the stream"]
pub struct WireEvent {
    /// The frame, and after it the data if it differs from the single line in the frame. Only
    /// events of other senders can have several lines.
    text: String,
    /// The start of the data.
    start: usize,
    /// The end of the frame.
    end: usize,
    sequence_number: Option<i64>,
}

const NAME: &str = "event: ";
const START: &str = "data: ";
const END: &str = "\n\n";

impl WireEvent {
    /// Returns the start of a frame, with a capacity for so much data. The caller appends the data,
    /// which is one line.
    pub(crate) fn frame(room: usize) -> String {
        let mut frame = String::with_capacity(START.len() + room + END.len());
        put(&mut frame, START);
        frame
    }

    /// Creates the event of such a frame.
    pub(crate) fn new(mut frame: String, sequence_number: Option<i64>) -> Self {
        put(&mut frame, END);
        WireEvent { start: START.len(), end: frame.len(), text: frame, sequence_number }
    }

    /// Creates an event with a name (`event: …`). `write` writes its data, one line; `usual` is the
    /// initial capacity.
    pub(crate) fn named(
        name: &str,
        usual: usize,
        sequence_number: Option<i64>,
        write: impl FnOnce(&mut String),
    ) -> Self {
        let mut frame =
            String::with_capacity(NAME.len() + name.len() + 1 + START.len() + usual + END.len());
        put(&mut frame, NAME);
        put(&mut frame, name);
        put(&mut frame, "\n");
        put(&mut frame, START);
        let start = frame.len();
        write(&mut frame);
        WireEvent { start, ..Self::new(frame, sequence_number) }
    }

    /// Creates an event. `write` writes its data, one line; `usual` is the initial capacity.
    pub(crate) fn written(
        usual: usize,
        sequence_number: Option<i64>,
        write: impl FnOnce(&mut String),
    ) -> Self {
        let mut frame = Self::frame(usual);
        write(&mut frame);
        Self::new(frame, sequence_number)
    }

    /// Creates an event from the data of another sender. A lone CR, which JSON may have between its
    /// values, would end the line here, so it separates two lines of data.
    #[cfg(feature = "hub")]
    pub(crate) fn raw(data: &str) -> Self {
        let mut frame = Self::frame(data.len());
        let mut lines = 0;
        for line in data.split(['\n', '\r']) {
            if lines > 0 {
                put(&mut frame, "\n");
                put(&mut frame, START);
            }
            put(&mut frame, line);
            lines += 1;
        }
        let mut event = Self::new(frame, None);
        if lines > 1 {
            put(&mut event.text, data);
        }
        event
    }

    /// Returns the event's data: one JSON object on one line, or the end marker of protocols that
    /// have one (`[DONE]`).
    pub fn json(&self) -> &str {
        match self.end == self.text.len() {
            true => between(&self.text, self.start, self.end - END.len()),
            false => between(&self.text, self.end, self.text.len()),
        }
    }

    /// Returns the event's data as an owned text.
    pub fn into_json(self) -> String {
        self.json().to_owned()
    }

    /// Returns the event as one server-sent event, including the blank line.
    pub fn as_sse(&self) -> &str {
        between(&self.text, 0, self.end)
    }

    /// Returns a copy of [`as_sse`](Self::as_sse).
    pub fn to_sse(&self) -> String {
        self.as_sse().to_owned()
    }

    /// Returns the event as one server-sent event, without copying it.
    pub fn into_sse(self) -> String {
        match self.end == self.text.len() {
            true => self.text,
            false => self.to_sse(),
        }
    }

    /// Returns the event's number, for senders that have to order events of several tasks; `None`
    /// if the protocol does not number events.
    pub fn sequence_number(&self) -> Option<i64> {
        self.sequence_number
    }
}

/// The common text of the events of a text's further pieces, which differ only in their number and
/// in the piece.
#[derive(Clone, Debug)]
pub(crate) struct PieceTemplate {
    /// The frame up to the number, or up to the piece if the events are not numbered.
    before: String,
    /// The start of the data in `before`.
    start: usize,
    /// The text between the number and the piece, including the opening quote; empty if the events
    /// are not numbered.
    between: String,
    /// The text after the piece: the rest of the data, and the end of the frame.
    rest: String,
}

impl PieceTemplate {
    /// Creates a template from the event of an empty piece. The piece is the last member; `number`
    /// is the name of the first member with the event's number, which is 0.
    pub(crate) fn new(event: &WireEvent, number: Option<&str>) -> Self {
        Self::before(event, number, "\"}")
    }

    /// Like `new`, with `rest` after the piece: its quote, and the ends of the objects around it.
    pub(crate) fn before(event: &WireEvent, number: Option<&str>, rest: &str) -> Self {
        let json = event.json();
        let json = between(json, 0, json.len() - rest.len());
        let key = |name: &str| ["\"", name, "\":"].concat();
        let end = number.map(key).and_then(|key| Some(json.find(&key)? + key.len()));
        let (before, after) = match end {
            Some(end) => (end, between(json, end + "0".len(), json.len())),
            None => (json.len(), ""),
        };
        let start = event.start;
        let before = between(&event.text, 0, start + before).to_owned();
        PieceTemplate { before, start, between: after.to_owned(), rest: [rest, END].concat() }
    }

    /// Creates the event of a piece.
    pub(crate) fn event(&self, number: Option<i64>, piece: &str) -> WireEvent {
        /// Capacity for the digits of a number and a few escapes.
        const ROOM: usize = 40;
        let mut frame =
            String::with_capacity(self.before.len() + self.between.len() + piece.len() + ROOM);
        self.write(number, piece, &mut frame);
        WireEvent { start: self.start, end: frame.len(), text: frame, sequence_number: number }
    }

    /// Appends the frames of the events of pieces to a stream. `number` is the number of the first
    /// event, and `ends` has the end of each piece in the text.
    #[cfg(feature = "hub")]
    pub(crate) fn append(
        &self,
        mut number: Option<i64>,
        (text, ends): (&str, &[usize]),
        stream: &mut String,
    ) {
        let mut from = 0;
        for &end in ends {
            self.write(number, between(text, from, end), stream);
            number = number.map(|number| number + 1);
            from = end;
        }
    }

    /// Writes the frame of a piece's event.
    #[inline]
    fn write(&self, number: Option<i64>, piece: &str, frame: &mut String) {
        put(frame, &self.before);
        if let Some(number) = number {
            push_integer(number, frame);
            put(frame, &self.between);
        }
        write_escaped(piece, frame);
        put(frame, &self.rest);
    }

    /// Returns the frame before the number, the number, and the text between the number and the
    /// piece, one line each; only the last line if the events are not numbered. The piece is a JSON
    /// string; it is followed by `}` and the blank line.
    #[cfg(feature = "wasm")]
    pub(crate) fn lines(&self, number: i64) -> String {
        let mut out = self.before.clone();
        if !self.between.is_empty() {
            put(&mut out, "\n");
            push_integer(number, &mut out);
            put(&mut out, "\n");
            put(&mut out, &self.between);
        }
        // Removes the opening quote of the piece.
        out.pop();
        out
    }
}

impl fmt::Display for WireEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.json())
    }
}
