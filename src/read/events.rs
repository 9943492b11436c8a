//! The events of a stream themselves, for those who keep no answer.
//!
//! ```
//! use agentwire::read::{EventReader, Entry};
//! use agentwire::{ProtocolKind, read::ReadOptions};
//!
//! let mut reader = EventReader::new(Some(ProtocolKind::AgKit), &ReadOptions::default());
//! let mut entries = reader.push(b": ping\n\ndata: {\"type\":\"text\",\"content\":\"Hi\"}\n\ndata: {\"type\":\"text\"}\n\nda");
//! entries.extend(reader.finish());
//! let [Entry::Comment(ping), Entry::Event(text), Entry::Event(wrong)] = &entries[..] else { panic!("{entries:?}") };
//! assert_eq!((ping.text.as_str(), ping.offset), (" ping", 0));
//! assert_eq!((text.number, text.offset, text.fault.is_none()), (0, 8, true));
//! assert_eq!(wrong.fault.as_ref().map(|fault| (fault.code, fault.path.as_str())), Some(("missing-member", "content")));
//! ```

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

#[cfg(feature = "binary")]
use crate::core::binary;
use crate::core::detect::is_done;
use crate::core::error::DecodeError;
use crate::core::limits::Limits;
use crate::core::options::ReadOptions;
use crate::json::Document;
use crate::protocols::{Built, ProtocolKind, detect};
use crate::sse::{Decoder, Item, LimitExceeded, TrailingEvent};

/// Reads the events of a stream whose bytes come cut anywhere. Nothing is folded and no order is judged: an event is right
/// if its members are.
#[derive(Debug)]
pub struct EventReader {
    decoder: Decoder,
    /// Of each event by itself until one has told it.
    protocol: Option<ProtocolKind>,
    limits: Limits,
    ending: TrailingEvent,
    /// How many events there have been.
    events: u64,
    /// Comments of a block that has not ended: an event may follow in it.
    comments: Vec<Entry>,
    /// A line of JSON that is no event was told.
    bare: bool,
}

/// Something that a stream says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Entry {
    /// An event, right or wrong.
    Event(StreamEvent),
    /// A comment: what servers send as heartbeats.
    Comment(Comment),
    /// An event that was larger than a limit, and left out.
    Oversize(LimitExceeded),
    /// Newline-delimited JSON in a stream that was said to be server-sent events. Nothing of it is read; told once.
    Ndjson(u64),
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StreamEvent {
    /// Its number, from 0, as [`Location::event`](crate::report::Location::event) has it.
    pub number: u64,
    /// Byte offset in the stream of its first line.
    pub offset: u64,
    /// Byte offset after the blank line that ends it.
    pub end: u64,
    /// Its name; `"message"` unless an `event` line gave one.
    pub name: String,
    /// The last event ID; empty as long as no `id` line gave one.
    pub id: String,
    /// Its data.
    pub data: String,
    /// Why it is no event of the protocol, if it is none.
    pub fault: Option<DecodeError>,
}

/// A comment of a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comment {
    /// Byte offset in the stream of its line.
    pub offset: u64,
    /// What follows the colon.
    pub text: String,
}

impl EventReader {
    /// A reader at the start of a stream of that protocol; of the one that its first event tells, if there is none.
    pub fn new(protocol: Option<ProtocolKind>, options: &ReadOptions) -> Self {
        EventReader {
            decoder: Decoder::framed(&options.limits, options.framing),
            protocol: Built::ONLY.or(protocol),
            limits: options.limits.clone(),
            ending: options.ending,
            events: 0,
            comments: Vec::new(),
            bare: false,
        }
    }

    /// The protocol, once it is known.
    pub fn protocol(&self) -> Option<ProtocolKind> {
        self.protocol
    }

    /// What the next bytes complete, in its order. Never fails.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<Entry> {
        let mut entries = Vec::new();
        if self.decoder.lengthen(chunk) {
            return entries;
        }
        let mut at = 0;
        while at < chunk.len() {
            let EventReader { decoder, comments, .. } = self;
            let mut heard = Heard::default();
            at = decoder.step(chunk, at, &mut listen(&mut entries, comments, &mut heard));
            self.judge(heard, self.decoder.offset() + at as u64, &mut entries);
        }
        self.decoder.advance(at);
        if self.decoder.is_between_events() {
            entries.append(&mut self.comments);
        }
        entries
    }

    /// What the end of the stream completes.
    pub fn finish(&mut self) -> Vec<Entry> {
        let (mut entries, mut heard) = (Vec::new(), Heard::default());
        let end = self.decoder.offset();
        let EventReader { decoder, comments, ending, .. } = self;
        decoder.finish(*ending, &mut listen(&mut entries, comments, &mut heard));
        self.judge(heard, end, &mut entries);
        entries.append(&mut self.comments);
        entries
    }

    /// Says what is known when a step of the decoder is over, which says one event at most, after everything else.
    fn judge(&mut self, heard: Heard, end: u64, entries: &mut Vec<Entry>) {
        let known = entries.len() - usize::from(entries.last().is_some_and(Entry::is_new));
        if let Some(offset) = heard.json_line.filter(|_| self.events == 0)
            && !mem::replace(&mut self.bare, true)
        {
            entries.insert(known, Entry::Ndjson(offset));
        }
        let Some(Entry::Event(event)) = entries.last_mut().filter(|last| last.is_new()) else { return };
        event.number = self.events;
        event.end = end;
        #[cfg(feature = "binary")]
        let decoded = heard.message.map_or(Ok(()), |message| self.decode(message.as_deref(), event));
        #[cfg(not(feature = "binary"))]
        let decoded = Ok(());
        event.fault = decoded.and_then(|()| self.check(&event.data)).err();
        self.events += 1;
    }

    /// The data of the event that a message is; none if it was cut.
    #[cfg(feature = "binary")]
    fn decode(&mut self, message: Option<&[u8]>, event: &mut StreamEvent) -> Result<(), DecodeError> {
        self.protocol = self.protocol.or(ProtocolKind::of_binary());
        let binary = self.protocol.and_then(ProtocolKind::binary);
        event.data = binary::read(binary, message, &self.limits)?.json;
        Ok(())
    }

    fn check(&mut self, data: &str) -> Result<(), DecodeError> {
        if Built::ONLY.is_none() && self.protocol.is_none() {
            self.protocol = detect(data);
        }
        if is_done(data) {
            return Ok(());
        }
        let wrong = |error| DecodeError::new(error, "");
        let mut document = Document::read(data, self.limits.json_depth).map_err(wrong)?;
        document.id_bytes = self.limits.id_bytes;
        match self.protocol {
            Some(protocol) => protocol.check_event(&document),
            None => document.root().object().map(drop).map_err(wrong),
        }
    }
}

impl Entry {
    /// Whether it is an event whose end is not known yet.
    fn is_new(&self) -> bool {
        matches!(self, Entry::Event(event) if event.end == 0)
    }
}

/// What one step of the decoder has said besides.
#[derive(Default)]
struct Heard {
    json_line: Option<u64>,
    /// The message that the event is; none if it was cut.
    #[cfg(feature = "binary")]
    message: Option<Option<Vec<u8>>>,
}

/// What the decoder hands its items to. Comments wait: an event may follow in their block.
fn listen(entries: &mut Vec<Entry>, comments: &mut Vec<Entry>, heard: &mut Heard) -> impl FnMut(Item<'_>) {
    |item| match item {
        Item::Event(event) => {
            entries.append(comments);
            let [name, id, data] = [event.name, event.last_event_id, event.data].map(ToOwned::to_owned);
            entries.push(StreamEvent::entry(event.offset, name, id, data));
        }
        Item::Comment(comment) => {
            comments.push(Entry::Comment(Comment { offset: comment.offset, text: comment.text.to_owned() }));
        }
        Item::Oversize(limit) => entries.push(Entry::Oversize(limit)),
        Item::JsonLine(line) => heard.json_line = heard.json_line.or(Some(line.offset)),
        Item::Retry(_) => {}
        #[cfg(feature = "binary")]
        Item::Frame(frame) => {
            heard.message = Some((!frame.is_cut).then(|| frame.message.to_vec()));
            entries.append(comments);
            entries.push(StreamEvent::entry(
                frame.offset,
                "message".to_owned(),
                String::new(),
                String::new(),
            ));
        }
    }
}

impl StreamEvent {
    /// An event whose end is not known yet.
    fn entry(offset: u64, name: String, id: String, data: String) -> Entry {
        Entry::Event(StreamEvent { number: 0, offset, end: 0, name, id, data, fault: None })
    }
}
