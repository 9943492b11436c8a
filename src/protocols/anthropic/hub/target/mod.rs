//! From the hub to Anthropic Messages: the writer of the protocol.
//!
//! Blocks follow each other: clients give each delta to the last block. What belongs to a block
//! that begins before another one has ended is kept until then. The reasoning of a message is one
//! thinking block, each text is a block, and blocks without content are not written.
//!
//! A call is a `tool_use` block if the client runs the tool: it stops the message. Only then are
//! its arguments streamed. Any other call is kept until its result comes, which shows that the
//! agent runs the tool: both become blocks of an MCP server, which no client runs.
//!
//! An answer that is not a stream is made of the same blocks. What some clients need besides is in
//! `client`.

mod blocks;
mod calls;
mod citations;
mod client;
mod end;
mod opaque;
mod usage;
mod whole;
mod written_events;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use self::blocks::{BlockKind, BlockQueue};
use self::calls::CallBlocks;
use self::client::shows_last_block;
use self::written_events::WrittenEvents;
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::WireEvent;
use crate::hub::approval::{OpenQuestions, TEXT};
use crate::hub::{
    CallIds, EndStatus, FromHub, LossChecker, MessageKind, Note, ProtocolName as _, Step,
    UnsupportedSteps, WriteOptions, message_id,
};
use crate::json::Value;
use crate::protocols::anthropic::Anthropic;

type WireOutput<'o> = crate::hub::EventOutput<'o, WireEvent>;

/// The losses of steps that Anthropic Messages cannot represent, each with the reason.
const UNSUPPORTED: UnsupportedSteps = &[
    ("activity", NO_EVENT),
    ("alternative", "an answer is one message: this one became part of it"),
    ("approval", "the question was its text only: its answer is left out"),
    ("arguments-replaced", "the input of a block only grows"),
    ("audio", TEXT_ONLY),
    ("call-members", "calls have an id, a name and an input, results an id and a content"),
    ("custom", NO_EVENT),
    ("data", TEXT_ONLY),
    ("error-message", "an `error` event would end the stream (C13)"),
    ("file", TEXT_ONLY),
    ("image", TEXT_ONLY),
    ("lane", "the protocol has no subagents: the output of this one became the answer's"),
    ("message-members", "the answer is one message, with an id of its own"),
    ("messages", NO_EVENT),
    ("output", NO_EVENT),
    ("part-dropped", "blocks only grow"),
    ("preview", "the result of a call is written once"),
    ("progress", NO_EVENT),
    ("refusal", "the protocol has no refusals: it became text, and the stop reason"),
    ("result-parts", "the content of a result is its text"),
    ("role", "the answer is the assistant's"),
    ("run-result", "the result of an answer is its content"),
    ("state", NO_EVENT),
    ("step", NO_EVENT),
    ("text-replaced", "blocks only grow"),
    ("video", TEXT_ONLY),
];

const NO_EVENT: &str = "the protocol has no event for it";
const TEXT_ONLY: &str = "answers of the protocol are text, thinking and calls";

/// The text of a question that has none.
const WAITS: &str = "The agent waits for an answer.";

/// Writes Anthropic Messages: the target of a conversion.
#[derive(Debug)]
pub struct ToAnthropic {
    options: WriteOptions,
    losses: LossChecker,
    events: WrittenEvents,
    blocks: BlockQueue,
    calls: CallBlocks,
    call_ids: CallIds,
    /// The blocks of texts, by message and part.
    texts: Numbers<usize>,
    /// The thinking blocks, by message.
    thoughts: Numbers<usize>,
    /// The blocks of texts and thinking that have ended incomplete. They have no stop if the answer
    /// fails next.
    incomplete: Vec<usize>,
    has_refused: bool,
    /// The open questions.
    questions: OpenQuestions<()>,
    /// The stop sequence, and what else the last event has of the message.
    more: Value,
    usage: Option<Value>,
    /// The stream has ended with an error.
    has_failed: bool,
}

impl ToAnthropic {
    /// Creates a target at the start of a stream. The tools in `echo` of the options are those that
    /// the client runs; with `"stream":false` in it, the answer is one event at the end. With
    /// `user_agent`, which has the header of the request, the answer has the order of blocks that
    /// this client needs.
    pub fn new(options: WriteOptions) -> Self {
        let own = options.echo.get("tools").map(|tools| {
            let mut names = StringMap::default();
            let tools = tools.items().iter().filter_map(|tool| tool.text("name"));
            tools.for_each(|name| names.insert(name, ()));
            names
        });
        let events = match options.echo.get("stream") {
            Some(Value::Bool(false)) => WrittenEvents::whole(),
            _ => WrittenEvents::default(),
        };
        let user_agent = options.echo.text("user_agent").unwrap_or_default();
        let texts_wait = shows_last_block(user_agent);
        ToAnthropic {
            options,
            losses: LossChecker::default(),
            blocks: BlockQueue::new(texts_wait),
            events,
            calls: CallBlocks::new(own),
            call_ids: CallIds::default(),
            texts: Numbers::default(),
            thoughts: Numbers::default(),
            incomplete: Vec::new(),
            has_refused: false,
            questions: OpenQuestions::default(),
            more: Value::Null,
            usage: None,
            has_failed: false,
        }
    }

    /// Returns whether the answer is one event at the end.
    pub(super) fn is_whole(&self) -> bool {
        self.events.is_whole()
    }

    /// Returns whether the last event was a piece of a block.
    pub(super) fn is_after_piece(&self) -> bool {
        self.events.is_after_piece()
    }

    /// Appends the events of further pieces of the block that the last event belongs to. `ends` are
    /// the ends of the pieces in `text`.
    pub(super) fn append_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        self.blocks.add_written(text);
        self.events.append_pieces(text, ends, out);
    }

    fn start(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Start { id, session_id, parent_id, model, .. } = *step else { return };
        let options = &mut self.options;
        if options.session_id.is_none() && session_id.or(parent_id).is_some() {
            out.lose("run-ids", "", "an answer has an id of its own only");
        }
        let id = options.run_id.take().or(message_id(id, out).map(ToOwned::to_owned));
        let id = id.unwrap_or_else(|| options.ids.next_id("msg_"));
        let model = model.filter(|model| !model.is_empty()).or(options.echo.text("model"));
        self.events.start(&id, model.unwrap_or_default(), out);
    }

    fn text(&mut self, (message, part): (u32, u32), piece: &str, out: &mut WireOutput<'_>) {
        let at = self.text_block((message, part));
        self.blocks.push_piece(at, piece, &mut self.events, out);
    }

    /// Returns the block of a text, and begins it if necessary.
    pub(super) fn text_block(&mut self, (message, part): (u32, u32)) -> usize {
        let at = pair(message, part);
        self.texts.get(at).copied().unwrap_or_else(|| {
            let block = self.blocks.add(BlockKind::Text);
            self.texts.insert(at, block);
            block
        })
    }

    /// Returns the block of a text that has begun.
    pub(super) fn text_of(&self, message: u32, part: u32) -> Option<usize> {
        self.texts.get(pair(message, part)).copied()
    }

    /// Returns the thinking block of a message that has begun.
    pub(super) fn thought_of(&self, message: u32) -> Option<usize> {
        self.thoughts.get(message.into()).copied()
    }

    /// Adds a piece of the reasoning of a message: its parts are paragraphs of one block.
    fn reasoning(&mut self, (message, part): (u32, u32), piece: &str, out: &mut WireOutput<'_>) {
        let at = self.thinking_block(message);
        let place = pair(message, part);
        if self.texts.get(place).is_none() {
            self.texts.insert(place, at);
            if self.blocks.has_text(at) {
                self.blocks.push_piece(at, "\n\n", &mut self.events, out);
            }
        }
        self.blocks.push_piece(at, piece, &mut self.events, out);
    }

    /// Returns the block of the reasoning of a message, and begins it if necessary.
    pub(super) fn thinking_block(&mut self, message: u32) -> usize {
        self.thoughts.get(message.into()).copied().unwrap_or_else(|| {
            let block = self.blocks.add(BlockKind::Thinking);
            self.thoughts.insert(message.into(), block);
            block
        })
    }

    fn end_part(&mut self, message: u32, part: u32, whole: bool, out: &mut WireOutput<'_>) {
        let at = pair(message, part);
        if self.end_call(at, whole, out) {
            return;
        }
        let is_thinking = out.kind(message) == MessageKind::Reasoning;
        if let Some(block) = self.texts.remove(at)
            && !is_thinking
        {
            self.end_block(block, whole, out);
        }
    }

    fn close(&mut self, message: u32, whole: bool, out: &mut WireOutput<'_>) {
        if let Some(block) = self.thoughts.remove(message.into()) {
            self.end_block(block, whole, out);
        }
    }

    fn end_block(&mut self, block: usize, whole: bool, out: &mut WireOutput<'_>) {
        match whole {
            true => self.blocks.end(block, &mut self.events, out),
            false => self.incomplete.push(block),
        }
    }

    /// Writes a question as its text: an answer cannot refer to it.
    fn ask(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Interrupt { id, text, reason, payload, .. } = *step else { return };
        let loss = "the protocol has no questions: it is a text, and an answer cannot name it";
        out.lose("interrupt-members", id, loss);
        self.questions.push(id, ());
        let text = text.or(payload.text(TEXT)).or(reason).filter(|text| !text.is_empty());
        let block = self.blocks.add(BlockKind::Text);
        self.blocks.push_piece(block, text.unwrap_or(WAITS), &mut self.events, out);
        self.blocks.end(block, &mut self.events, out);
    }

    fn note(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        match *note {
            Note::Status { status: "in_progress", .. } => {}
            Note::Status { status, .. } => out.lose("status", status, NO_EVENT),
            Note::Usage { usage, message: None } => self.usage = Some(usage.clone()),
            Note::Usage { message: Some(message), .. } => {
                out.lose("usage", out.place(message), "the tokens are those of the answer");
            }
            Note::Metadata { value, message: None, call: None } => self.metadata(value, out),
            Note::Metadata { message, call, .. } => {
                let place = message.map_or(call.unwrap_or(""), |message| out.place(message));
                out.lose("metadata", place, "blocks have no metadata");
            }
            Note::Annotation { message, part, annotation } => {
                self.annotate((message, part.unwrap_or(0)), annotation, out);
            }
            Note::Opaque { .. } => self.opaque(note, out),
            Note::ToolError { id, text, .. } => self.result(id, text, true, out),
            Note::Passthrough { protocol: Anthropic::NAME, name, data } => {
                self.events.pass(name, data, out);
            }
            Note::Passthrough { name, .. } => out.lose("unknown-event", name, NO_EVENT),
            // The losses of other notes are noted already.
            _ => {}
        }
    }
}

impl FromHub for ToAnthropic {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        if self.has_failed {
            return;
        }
        self.losses.check(UNSUPPORTED, step, out);
        let may_end = matches!(
            step,
            Step::EndPart { .. } | Step::Close { .. } | Step::Note(_) | Step::End(_)
        );
        if !may_end {
            for block in core::mem::take(&mut self.incomplete) {
                self.blocks.end(block, &mut self.events, out);
            }
        }
        if !out.meta().metadata.is_empty() {
            out.lose("metadata", "", "events of the protocol have no metadata");
        }
        match *step {
            Step::Text { message, part, piece } => self.text((message, part), piece, out),
            Step::Arguments { message, part, piece } => {
                self.arguments(pair(message, part), piece, out);
            }
            Step::Reasoning { message, part, piece, .. } => {
                self.reasoning((message, part), piece, out);
            }
            Step::Refusal { message, part, piece } => {
                self.has_refused = true;
                self.text((message, part), piece, out);
            }
            Step::Start { .. } => self.start(step, out),
            Step::Call { .. } => self.call(step, out),
            Step::Result { id, output, preview: false, .. } => self.result(id, output, false, out),
            Step::Interrupt { .. } => self.ask(step, out),
            Step::Answer { id, .. } => drop(self.questions.take(id)),
            Step::EndPart { message, part, whole } => self.end_part(message, part, whole, out),
            Step::Close { message, end } => {
                if end.metadata.is_some() {
                    out.lose("metadata", out.place(message), "blocks have no metadata");
                }
                if end.usage.is_some() {
                    out.lose("usage", out.place(message), "the tokens are those of the answer");
                }
                self.close(message, end.status == EndStatus::Completed, out);
            }
            Step::Note(ref note) => self.note(note, out),
            Step::End(end) => self.end(end, out),
            _ => {}
        }
    }
}
