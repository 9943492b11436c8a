//! Writes events, and those of the pieces of a block from a template. An answer that is not a stream
//! is one event at the end, whose data is the message.

use alloc::string::String;

use super::whole::WholeMessage;
use super::{NO_EVENT, WireOutput};
use crate::core::{Limits, PieceTemplate, WireEvent};
use crate::json::{ObjectWriter, Raw, Value};
use crate::protocols::anthropic::events::Event;

/// What a delta of a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Streamed {
    Text,
    Thinking,
    Input,
}

impl Streamed {
    /// Returns the type of the delta, and the member that has the piece.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Streamed::Text => ("text_delta", "text"),
            Streamed::Thinking => ("thinking_delta", "thinking"),
            Streamed::Input => ("input_json_delta", "partial_json"),
        }
    }

    /// Returns the member of a whole block that has the joined pieces.
    pub fn member(self) -> &'static str {
        match self {
            Streamed::Input => "input",
            text => text.names().1,
        }
    }
}

/// The events of the stream.
#[derive(Debug, Default)]
pub(super) struct WrittenEvents {
    /// The template of the pieces of the block with that index.
    template: Option<(i64, PieceTemplate)>,
    /// The last event was a piece of that block.
    is_piece: bool,
    /// The message of an answer that is not a stream.
    whole: Option<WholeMessage>,
}

impl WrittenEvents {
    /// Creates the events of an answer that is not a stream.
    pub fn whole() -> Self {
        WrittenEvents { whole: Some(WholeMessage::default()), ..Self::default() }
    }

    /// Returns whether the answer is not a stream.
    pub fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Writes the start of the message.
    pub fn start(&mut self, id: &str, model: &str, out: &mut WireOutput<'_>) {
        if let Some(whole) = &mut self.whole {
            return whole.start(id, model);
        }
        self.write("message_start", out, |event| {
            let mut message = ObjectWriter::open(event.member("message"), false);
            message.string("id", Some(id));
            message.string("type", Some("message"));
            message.string("role", Some("assistant"));
            message.string("model", Some(model));
            message.raw("content", Some(Raw("[]")));
            message.string("stop_reason", None);
            message.string("stop_sequence", None);
            message.raw("usage", Some(Raw(r#"{"input_tokens":0,"output_tokens":0}"#)));
            message.close();
        });
    }

    /// Writes the end of the message, with what is known of it only now.
    pub fn end(&mut self, delta: &Value, usage: &Value, out: &mut WireOutput<'_>) {
        if let Some(whole) = &self.whole {
            return out.emit(WireEvent::named("message", 0, None, |data| {
                whole.write(delta, usage, data);
            }));
        }
        self.write("message_delta", out, |event| {
            event.value("delta", Some(delta));
            event.value("usage", Some(usage));
        });
        self.write("message_stop", out, |_| {});
    }

    /// Writes an error, which ends the stream.
    pub fn error(&mut self, r#type: &str, message: &str, out: &mut WireOutput<'_>) {
        self.write("error", out, |event| {
            let mut error = ObjectWriter::open(event.member("error"), false);
            error.string("type", Some(r#type));
            error.string("message", Some(message));
            error.close();
        });
    }

    /// Writes an event.
    fn write(
        &mut self,
        name: &str,
        out: &mut WireOutput<'_>,
        members: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        self.is_piece = false;
        out.emit(event(name, members));
    }

    /// Writes the start of a block.
    pub fn start_block(&mut self, index: i64, block: &str, out: &mut WireOutput<'_>) {
        if let Some(whole) = &mut self.whole {
            return whole.start_block(block);
        }
        self.write("content_block_start", out, |event| {
            event.integer("index", Some(index));
            event.raw("content_block", Some(Raw(block)));
        });
    }

    /// Writes a delta of a block that is not a piece of its text.
    pub fn delta(
        &mut self,
        index: i64,
        r#type: &str,
        (key, value): (&str, &Value),
        out: &mut WireOutput<'_>,
    ) {
        if let Some(whole) = &mut self.whole {
            return whole.delta(key, value);
        }
        self.write("content_block_delta", out, |event| {
            event.integer("index", Some(index));
            let mut delta = ObjectWriter::open(event.member("delta"), false);
            delta.string("type", Some(r#type));
            delta.value(key, Some(value));
            delta.close();
        });
    }

    /// Writes the end of a block, whose pieces were of this kind.
    pub fn stop_block(&mut self, index: i64, streamed: Option<Streamed>, out: &mut WireOutput<'_>) {
        if let Some(whole) = &mut self.whole {
            return whole.stop_block(streamed);
        }
        self.write("content_block_stop", out, |event| event.integer("index", Some(index)));
    }

    /// Writes a piece of a block.
    pub fn piece(&mut self, index: i64, kind: Streamed, piece: &str, out: &mut WireOutput<'_>) {
        if let Some(whole) = &mut self.whole {
            return whole.piece(piece);
        }
        if self.template.as_ref().is_none_or(|(of, _)| *of != index) {
            self.template = Some((index, template(index, kind)));
        }
        let Some((_, template)) = &self.template else { return };
        self.is_piece = true;
        out.emit(template.event(None, piece));
    }

    /// Returns whether the last event was a piece of a block.
    pub fn is_after_piece(&self) -> bool {
        self.is_piece
    }

    /// Appends the events of further pieces of that block.
    pub fn append_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        if let Some((_, template)) = &self.template {
            template.append(None, (text, ends), out);
        }
    }

    /// Passes on an event that the protocol does not define, as the source has it. A delta of an
    /// unknown type belongs to a block, which has another index here.
    pub fn pass(&mut self, name: &str, data: &str, out: &mut WireOutput<'_>) {
        let is_unknown =
            matches!(Event::decode(data, Limits::default().json_depth), Ok(Event::Other { .. }));
        if self.whole.is_some() {
            return out.lose("unknown-event", name, "the answer is not a stream");
        }
        let is_named = !name.is_empty() && !name.contains(['\r', '\n']);
        if !is_unknown || !is_named || data.contains(['\r', '\n']) {
            return out.lose("unknown-event", name, NO_EVENT);
        }
        self.is_piece = false;
        out.emit(WireEvent::named(name, data.len(), None, |frame| frame.push_str(data)));
    }
}

/// Returns the template of the pieces of a block.
fn template(index: i64, kind: Streamed) -> PieceTemplate {
    let (r#type, member) = kind.names();
    let empty = event("content_block_delta", |event| {
        event.integer("index", Some(index));
        let mut delta = ObjectWriter::open(event.member("delta"), false);
        delta.string("type", Some(r#type));
        delta.string(member, Some(""));
        delta.close();
    });
    PieceTemplate::before(&empty, None, "\"}}")
}

fn event(name: &str, members: impl FnOnce(&mut ObjectWriter<'_>)) -> WireEvent {
    /// The capacity, in bytes, for the members of most events.
    const USUAL: usize = 128;
    WireEvent::named(name, USUAL, None, |frame| {
        let mut object = ObjectWriter::open(frame, false);
        object.string("type", Some(name));
        members(&mut object);
        object.close();
    })
}
