//! The events of a stream themselves, without an answer.
//!
//! ```
//! use agentwire::read::{EventReader, StreamEntry};
//! use agentwire::{ProtocolKind, read::ReadOptions};
//!
//! let mut reader = EventReader::new(Some(ProtocolKind::AgKit), &ReadOptions::default());
//! let mut entries = reader.push(b": ping\n\ndata: {\"type\":\"text\",\"content\":\"Hi\"}\n\ndata: {\"type\":\"text\"}\n\nda");
//! entries.extend(reader.finish());
//! let [StreamEntry::Comment(ping), StreamEntry::Event(text), StreamEntry::Event(wrong)] = &entries[..] else { panic!("{entries:?}") };
//! assert_eq!((ping.text.as_str(), ping.offset), (" ping", 0));
//! assert_eq!((text.number, text.offset, text.fault.is_none()), (0, 8, true));
//! assert_eq!(wrong.fault.as_ref().map(|fault| (fault.code, fault.path.as_str())), Some(("missing-member", "content")));
//! ```

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

#[cfg(feature = "binary")]
use crate::core::binary;
use crate::core::detect::is_done;
use crate::core::error::DecodeError;
use crate::core::limits::Limits;
use crate::core::options::ReadOptions;
use crate::json::Document;
use crate::protocols::{Built, ProtocolKind, detect};
use crate::read::stream::listed;
use crate::sse::{Decoder, LimitExceeded, SseEvent, StreamItem, TrailingEvent};

/// Reads the events of a stream whose bytes arrive in chunks of any size. Does not build an answer
/// and does not check the order: an event is valid if its members are.
#[derive(Debug)]
pub struct EventReader {
    decoder: Decoder,
    /// `None` until the first event has shown it.
    protocol: Option<ProtocolKind>,
    limits: Limits,
    ending: TrailingEvent,
    /// The number of events so far.
    events: u64,
    /// Comments of a block that has not ended: an event may follow in the same block.
    comments: Vec<StreamEntry>,
}

/// One entry of a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StreamEntry {
    /// An event, valid or not.
    Event(StreamEvent),
    /// A comment. Servers send comments as heartbeats.
    Comment(CommentEntry),
    /// An event that exceeded a limit and was left out.
    Oversize(LimitExceeded),
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StreamEvent {
    /// Its number, from 0, as [`Location::event`](crate::report::Location::event) has it.
    pub number: u64,
    /// Byte offset of its first line in the stream.
    pub offset: u64,
    /// Byte offset after the blank line that ends it.
    pub end: u64,
    /// Its name; `"message"` if it has no `event` line.
    pub name: String,
    /// The last event ID; empty until an `id` line has set one.
    pub id: String,
    /// Its data.
    pub data: String,
    /// The reason why it is not an event of the protocol; `None` if it is one.
    pub fault: Option<DecodeError>,
}

/// A comment of a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CommentEntry {
    /// Byte offset of its line in the stream.
    pub offset: u64,
    /// The text after the colon.
    pub text: String,
}

impl EventReader {
    /// Creates a reader of a protocol, or with `None` one that detects the protocol from the first
    /// event.
    pub fn new(protocol: Option<ProtocolKind>, options: &ReadOptions) -> Self {
        EventReader {
            decoder: Decoder::framed(&options.limits, options.framing),
            protocol: Built::ONLY.or(protocol),
            limits: options.limits.clone(),
            ending: options.ending,
            events: 0,
            comments: Vec::new(),
        }
    }

    /// Returns the protocol; `None` while it is not known.
    pub fn protocol(&self) -> Option<ProtocolKind> {
        self.protocol
    }

    /// Reads the next bytes and returns the entries that they complete, in stream order. Never
    /// fails.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<StreamEntry> {
        let mut entries = Vec::new();
        if self.decoder.lengthen(chunk) {
            return entries;
        }
        let mut at = 0;
        while at < chunk.len() {
            let EventReader { decoder, comments, .. } = self;
            let mut extra = StepOutput::default();
            let known = entries.len();
            at = decoder.step(chunk, at, &mut item_handler(&mut entries, comments, &mut extra));
            self.judge(&mut extra, self.decoder.offset() + at as u64, &mut entries[known..]);
        }
        self.decoder.advance(at);
        if self.decoder.is_between_events() {
            entries.append(&mut self.comments);
        }
        entries
    }

    /// Ends the stream and returns the entries that the end completes.
    pub fn finish(&mut self) -> Vec<StreamEntry> {
        let (mut entries, mut extra) = (Vec::new(), StepOutput::default());
        let end = self.decoder.offset();
        let EventReader { decoder, comments, ending, .. } = self;
        decoder.finish(*ending, &mut item_handler(&mut entries, comments, &mut extra));
        self.judge(&mut extra, end, &mut entries);
        entries.append(&mut self.comments);
        entries
    }

    /// Completes the entries of one step of the decoder, which emits at most one event with fields,
    /// as its last item.
    fn judge(&mut self, extra: &mut StepOutput, end: u64, entries: &mut [StreamEntry]) {
        for entry in entries {
            let StreamEntry::Event(event) = entry else { continue };
            event.number = self.events;
            self.events += 1;
            if event.end == 0 {
                event.end = end;
            }
            #[cfg(feature = "binary")]
            let decoded = extra
                .message
                .take()
                .map_or(Ok(()), |message| self.decode(message.as_deref(), event));
            #[cfg(not(feature = "binary"))]
            let decoded = {
                let StepOutput {} = extra;
                Ok(())
            };
            event.fault = decoded.and_then(|()| self.check(&event.data)).err();
        }
    }

    /// Sets the data of an event to the decoded message. Fails if the message was cut.
    #[cfg(feature = "binary")]
    fn decode(
        &mut self,
        message: Option<&[u8]>,
        event: &mut StreamEvent,
    ) -> Result<(), DecodeError> {
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

/// The other output of one step of the decoder.
#[derive(Default)]
struct StepOutput {
    /// The message of the event; the inner `None` if it was cut.
    #[cfg(feature = "binary")]
    message: Option<Option<Vec<u8>>>,
}

/// Returns the handler of the decoder's items. Comments are held back: an event may follow in their
/// block.
fn item_handler(
    entries: &mut Vec<StreamEntry>,
    comments: &mut Vec<StreamEntry>,
    extra: &mut StepOutput,
) -> impl FnMut(StreamItem<'_>) {
    #[cfg(not(feature = "binary"))]
    let StepOutput {} = extra;
    |item| match item {
        StreamItem::Event(event) => {
            entries.append(comments);
            add(&event, 0, entries);
        }
        StreamItem::Loose(json) if json.is_json => {
            entries.append(comments);
            add(&json.event(), json.end, entries);
        }
        StreamItem::Comment(comment) => {
            comments.push(StreamEntry::Comment(CommentEntry {
                offset: comment.offset,
                text: comment.text.to_owned(),
            }));
        }
        StreamItem::Oversize(limit) => entries.push(StreamEntry::Oversize(limit)),
        StreamItem::Loose(_) | StreamItem::Retry(_) => {}
        #[cfg(feature = "binary")]
        StreamItem::Frame(frame) => {
            extra.message = Some((!frame.is_cut).then(|| frame.message.to_vec()));
            entries.append(comments);
            entries.push(StreamEvent::entry(
                frame.offset,
                0,
                "message".to_owned(),
                String::new(),
                String::new(),
            ));
        }
    }
}

/// Adds an event, or the events of a list.
fn add(event: &SseEvent<'_>, end: u64, entries: &mut Vec<StreamEntry>) {
    for data in listed(event.data).unwrap_or_else(|| alloc::vec![event.data]) {
        let name = if event.name.is_empty() { "message" } else { event.name };
        let [name, id, data] = [name, event.last_event_id, data].map(ToOwned::to_owned);
        entries.push(StreamEvent::entry(event.offset, end, name, id, data));
    }
}

impl StreamEvent {
    /// Creates an event whose number is not known yet, nor its end if that is 0.
    fn entry(offset: u64, end: u64, name: String, id: String, data: String) -> StreamEntry {
        StreamEntry::Event(StreamEvent { number: 0, offset, end, name, id, data, fault: None })
    }
}
