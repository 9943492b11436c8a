//! How far a stream was received: what is needed to go on with it in another connection, without an
//! event that is missing or there twice.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::string::String;
use std::vec::Vec;

use crate::core::detect::is_done;
use crate::core::limits::Limits;
use crate::json::{Document, Element};
use crate::sse::{Decoder, StreamItem};

/// The number of events whose ids are known, besides the first one.
const KNOWN: usize = 1 << 16;
/// The number of events without an id after the last one with an id.
const UNNAMED: usize = 1 << 10;
/// The size of an event in bytes above which it is passed on before it is whole.
const LONGEST: usize = 1 << 25;
/// The length of an id that can be sent back in a URL.
const ID: usize = 2 << 10;

/// What was received of an interaction. Only whole events are passed on, so that a connection is cut
/// between two events, as far as the reader is concerned.
#[derive(Debug, Default)]
pub(crate) struct Place {
    id: String,
    last_event_id: Option<String>,
    /// The number of whole events that were passed on.
    events: u64,
    is_over: bool,
    /// Nothing can be resumed: the rest is passed on as it arrives.
    is_final: bool,
    digests: RandomState,
    /// The ids of events, the oldest first.
    known: VecDeque<u64>,
    /// The id of the first event.
    first: Option<u64>,
    /// The data of the events without an id that follow the last one with an id.
    unnamed: Vec<u64>,
    repeats: Repeats,
    /// How many of the events without an id were received before this connection.
    repeatable: usize,
    blocks: Blocks,
    /// The bytes of the event that is not whole.
    tail: Vec<u8>,
    /// The longest such bytes of the connections before, since the last whole event.
    cut: Vec<u8>,
    is_first_block: bool,
}

/// Which events of a connection were received in another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Repeats {
    /// None any more.
    #[default]
    No,
    /// The connection is new: its first event with an id decides.
    Unknown,
    /// All up to the last event with an id. The id of the next one is probably at this place.
    UntilLast(usize),
    /// Those without an id that follow it: so many are repeated.
    After(usize),
}

impl Place {
    /// Takes bytes of the connection. Returns those of events that are whole and new.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        let mut whole = Vec::new();
        let mut rest = chunk;
        while !self.is_final {
            let Some(end) = rest.iter().position(|byte| self.blocks.ends(*byte)) else { break };
            let (block, others) = rest.split_at(end + 1);
            rest = others;
            let mut bytes = std::mem::take(&mut self.tail);
            bytes.extend_from_slice(block);
            self.block(&bytes, &mut whole);
        }
        self.tail.extend_from_slice(rest);
        self.is_final |= self.tail.len() > LONGEST;
        if self.is_final {
            whole.append(&mut self.tail);
        }
        whole
    }

    /// Reports whether the stream has ended with its connection, and not only that.
    pub(crate) fn has_ended(&mut self) -> bool {
        // The last event may have no blank line after it.
        if !self.is_over && event(&self.tail).is_some_and(|event| event.is_end) {
            self.is_over = true;
            self.cut.clear();
        }
        self.is_over
    }

    /// Returns the id of the interaction, and that of its last event, if the stream can be resumed.
    pub(crate) fn resumes(&self) -> Option<(&str, &str)> {
        let last = self.last_event_id.as_deref()?;
        (!self.is_final && !self.id.is_empty()).then_some((&*self.id, last))
    }

    /// Returns the number of whole events that were passed on.
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    /// Another connection begins, with the events after the last one.
    pub(crate) fn reconnect(&mut self) {
        let tail = std::mem::take(&mut self.tail);
        if tail.len() > self.cut.len() {
            self.cut = tail;
        }
        self.blocks = Blocks::default();
        (self.repeats, self.repeatable) = (Repeats::Unknown, self.unnamed.len());
        self.is_first_block = true;
    }

    /// Returns the bytes of the event that has not arrived whole.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let (cut, tail) = (std::mem::take(&mut self.cut), std::mem::take(&mut self.tail));
        if tail.len() >= cut.len() { tail } else { cut }
    }

    /// Takes a block: the lines to a blank line, or a comment.
    fn block(&mut self, bytes: &[u8], whole: &mut Vec<u8>) {
        // The reader accepts a byte order mark only at the beginning.
        let is_first = std::mem::take(&mut self.is_first_block);
        let mark = if is_first { bytes.strip_prefix(b"\xef\xbb\xbf") } else { None };
        let bytes = mark.unwrap_or(bytes);
        let Some(event) = event(bytes) else { return whole.extend_from_slice(bytes) };
        if !event.is_end && self.was_received(&event) {
            return;
        }
        whole.extend_from_slice(bytes);
        self.note(event);
    }

    /// Whether another connection has had this event.
    fn was_received(&mut self, event: &Event) -> bool {
        let next = match self.repeats {
            Repeats::No => return false,
            Repeats::Unknown => 0,
            Repeats::UntilLast(next) | Repeats::After(next) => next,
        };
        let Some(id) = &event.event_id else {
            if matches!(self.repeats, Repeats::UntilLast(_)) {
                return true;
            }
            let digest = self.digests.hash_one(&event.data);
            let is_repeated = next < self.repeatable && self.unnamed.get(next) == Some(&digest);
            match self.repeats {
                _ if is_repeated => self.repeats = Repeats::After(next + 1),
                Repeats::After(_) => self.repeats = Repeats::No,
                // The next event with an id may still be a repeated one.
                _ => self.repeatable = 0,
            }
            return is_repeated;
        };
        if self.last_event_id.as_ref() == Some(id) {
            self.repeats = Repeats::After(0);
            return true;
        }
        let digest = self.digests.hash_one(id);
        let is_repeating = matches!(self.repeats, Repeats::UntilLast(_));
        // Events are repeated in their order.
        let at = match is_repeating && self.known.get(next) == Some(&digest) {
            true => Some(next),
            false => self.known.iter().position(|known| *known == digest),
        };
        let is_forgotten = is_repeating && self.known.len() == KNOWN;
        let is_known = at.is_some() || self.first == Some(digest) || is_forgotten;
        self.repeats = match is_known {
            true => Repeats::UntilLast(at.map_or(0, |at| at + 1)),
            false => Repeats::No,
        };
        is_known
    }

    /// Notes an event that is passed on.
    fn note(&mut self, event: Event) {
        let Event { data, id, event_id, is_end } = event;
        self.events += 1;
        self.is_over |= is_end;
        self.cut.clear();
        if let Some(id) = id {
            self.id = id;
        }
        match event_id {
            Some(event_id) => {
                let digest = self.digests.hash_one(&event_id);
                self.first.get_or_insert(digest);
                self.known.push_back(digest);
                if self.known.len() > KNOWN {
                    self.known.pop_front();
                }
                self.unnamed.clear();
                self.last_event_id = Some(event_id);
            }
            None => self.unnamed.push(self.digests.hash_one(&data)),
        }
        self.is_final |= self.is_over || self.resumes().is_none() || self.unnamed.len() > UNNAMED;
    }
}

/// An event, as far as its place matters.
struct Event {
    data: String,
    /// The id of the interaction.
    id: Option<String>,
    event_id: Option<String>,
    /// Nothing follows it.
    is_end: bool,
}

/// Returns the event of a block.
fn event(block: &[u8]) -> Option<Event> {
    let (mut found, limits) = (None, Limits::default());
    let mut decoder = Decoder::new(&limits);
    let mut take = |item: StreamItem<'_>| {
        let data = match item {
            StreamItem::Event(event) => event.data,
            // An error may be sent without its frame.
            StreamItem::Loose(json) if json.is_json => json.text,
            _ => return,
        };
        if found.is_none() {
            found = Some(String::from(data));
        }
    };
    decoder.push(block, &mut take);
    decoder.push(b"\n\n", &mut take);
    let data = found?;
    let json = Document::read(&data, limits.json_depth).ok();
    let text = |value: Option<Element<'_, '_>>| {
        let text = value?.string().ok()?.to_str().into_owned();
        Some(text).filter(|text| (1..=ID).contains(&text.len()))
    };
    let root = json.as_ref().map(Document::root);
    let own = |name: &str| root.and_then(|root| root.member(name));
    let id = own("interaction").and_then(|interaction| interaction.member("id"));
    // A URL cannot have these as a segment of its path.
    let id = text(id.or_else(|| own("interaction_id"))).filter(|id| id != "." && id != "..");
    let (event_id, kind) = (text(own("event_id")), text(own("event_type")));
    let is_end = match kind.as_deref() {
        Some(kind) => matches!(kind, "interaction.completed" | "error"),
        None => is_done(&data) || own("error").is_some_and(|error| !error.is_null()),
    };
    Some(Event { id, event_id, is_end, data })
}

/// Finds the ends of blocks, byte by byte.
#[derive(Debug, Default)]
struct Blocks {
    line: Line,
    /// The block has lines other than comments.
    has_fields: bool,
    /// The last byte was a carriage return, which ends a line together with a line feed.
    after_return: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Line {
    #[default]
    Blank,
    Comment,
    Field,
}

impl Blocks {
    /// Takes a byte; returns whether it ends a block.
    fn ends(&mut self, byte: u8) -> bool {
        let is_rest = byte == b'\n' && std::mem::take(&mut self.after_return);
        match byte {
            b'\n' if is_rest => false,
            b'\n' | b'\r' => {
                self.after_return = byte == b'\r';
                let line = std::mem::take(&mut self.line);
                self.has_fields |= line == Line::Field;
                match line {
                    Line::Field => false,
                    Line::Comment => !self.has_fields,
                    Line::Blank => {
                        self.has_fields = false;
                        true
                    }
                }
            }
            _ => {
                self.after_return = false;
                if self.line == Line::Blank {
                    self.line = if byte == b':' { Line::Comment } else { Line::Field };
                }
                false
            }
        }
    }
}
