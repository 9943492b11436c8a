//! Events as they are sent: what the builders of all protocols hand out.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::bytes::{between, put};
use crate::json::{push_integer, write_escaped};
use core::fmt;

/// One event, exactly as it goes on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an event that is not sent is missing from the stream"]
pub struct WireEvent {
    /// The frame; after it the data, where that is not the one line in the frame. Only events of other senders have several.
    text: String,
    /// Where the data begins.
    start: usize,
    /// Where the frame ends.
    end: usize,
    sequence_number: Option<i64>,
}

const NAME: &str = "event: ";
const START: &str = "data: ";
const END: &str = "\n\n";

impl WireEvent {
    /// The beginning of a frame, with room for so much data; the caller appends the data, which is one line.
    pub(crate) fn frame(room: usize) -> String {
        let mut frame = String::with_capacity(START.len() + room + END.len());
        put(&mut frame, START);
        frame
    }

    /// The event of such a frame.
    pub(crate) fn new(mut frame: String, sequence_number: Option<i64>) -> Self {
        put(&mut frame, END);
        WireEvent { start: START.len(), end: frame.len(), text: frame, sequence_number }
    }

    /// The event of that name (`event: …`), whose data, one line, is written by `write`; `usual` is room enough for most.
    pub(crate) fn named(
        name: &str,
        usual: usize,
        sequence_number: Option<i64>,
        write: impl FnOnce(&mut String),
    ) -> Self {
        let mut frame = String::with_capacity(NAME.len() + name.len() + 1 + START.len() + usual + END.len());
        put(&mut frame, NAME);
        put(&mut frame, name);
        put(&mut frame, "\n");
        put(&mut frame, START);
        let start = frame.len();
        write(&mut frame);
        WireEvent { start, ..Self::new(frame, sequence_number) }
    }

    /// The event whose data, one line, is written by `write`; `usual` is room enough for most.
    pub(crate) fn written(
        usual: usize,
        sequence_number: Option<i64>,
        write: impl FnOnce(&mut String),
    ) -> Self {
        let mut frame = Self::frame(usual);
        write(&mut frame);
        Self::new(frame, sequence_number)
    }

    /// An event of another sender, as it was read. A lone CR, which a line of JSON may have between its values, would end
    /// the line here: it becomes a line of data of its own.
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

    /// The event's data: one JSON object on one line, or the end marker of protocols that have one (`[DONE]`).
    pub fn json(&self) -> &str {
        match self.end == self.text.len() {
            true => between(&self.text, self.start, self.end - END.len()),
            false => between(&self.text, self.end, self.text.len()),
        }
    }

    /// The event's data, as a text of its own.
    pub fn into_json(self) -> String {
        self.json().to_owned()
    }

    /// The event as one server-sent event, blank line included.
    pub fn as_sse(&self) -> &str {
        between(&self.text, 0, self.end)
    }

    /// A copy of [`as_sse`](Self::as_sse).
    pub fn to_sse(&self) -> String {
        self.as_sse().to_owned()
    }

    /// The event as one server-sent event, without copying it.
    pub fn into_sse(self) -> String {
        match self.end == self.text.len() {
            true => self.text,
            false => self.to_sse(),
        }
    }

    /// The event's number, for senders that have to put events of several tasks in order; `None` where the protocol has
    /// no numbers.
    pub fn sequence_number(&self) -> Option<i64> {
        self.sequence_number
    }
}

/// What the events of a text's further pieces have in common: they differ in their number and in the piece.
#[derive(Clone, Debug)]
pub(crate) struct PieceTemplate {
    /// The frame up to the number, or up to the piece where there is none.
    before: String,
    /// Where in it the data begins.
    start: usize,
    /// What is between the number and the piece, whose opening quote is included; nothing where there is no number.
    between: String,
    /// What is after the piece: the rest of the data, and the end of the frame.
    rest: String,
}

impl PieceTemplate {
    /// Of the event of an empty piece. The piece is its last member; `number` names the first one that is its number,
    /// which is 0.
    pub(crate) fn new(event: &WireEvent, number: Option<&str>) -> Self {
        Self::before(event, number, "\"}")
    }

    /// The same where `rest` stands after the piece: its quote, and the ends of the objects that it is in.
    pub(crate) fn before(event: &WireEvent, number: Option<&str>, rest: &'static str) -> Self {
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

    /// The event of a piece.
    pub(crate) fn event(&self, number: Option<i64>, piece: &str) -> WireEvent {
        /// The digits of a number, and a few escapes.
        const ROOM: usize = 40;
        let mut frame = String::with_capacity(self.before.len() + self.between.len() + piece.len() + ROOM);
        self.write(number, piece, &mut frame);
        WireEvent { start: self.start, end: frame.len(), text: frame, sequence_number: number }
    }

    /// Appends the frames of the events of pieces to a stream: the number of the first, and where each piece ends in the text.
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

    /// The frame of a piece's event.
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

    /// What of the frame is before the number, the number, and what is between it and the piece, a line each; or only the last
    /// where there are no numbers. The piece is a JSON string; after it comes `}` and the blank line.
    #[cfg(feature = "wasm")]
    pub(crate) fn lines(&self, number: i64) -> String {
        let mut out = self.before.clone();
        if !self.between.is_empty() {
            put(&mut out, "\n");
            push_integer(number, &mut out);
            put(&mut out, "\n");
            put(&mut out, &self.between);
        }
        // Not the quote of the piece.
        out.pop();
        out
    }
}

impl fmt::Display for WireEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.json())
    }
}
