//! From the hub to Chat Completions: the writer of the protocol.
//!
//! An answer is one message of one choice: the texts of all messages of the run are its text, their
//! reasoning its reasoning. Clients run every call that they receive, so a call that the agent has
//! run is left out. A run that has not ended by itself ends with an error, or with another finish
//! reason than `stop`.

mod answer;
mod calls;
mod end;
mod opaque;
mod whole;

use alloc::borrow::ToOwned;
use alloc::string::String;

use self::answer::{AnswerWriter, GrowingText, Head};
use self::calls::WrittenCalls;
use self::opaque::CarriedState;
use crate::core::{FreeJsonCheck, Limits, WireEvent};
use crate::hub::approval::TEXT;
use crate::hub::metadata::Metadata;
use crate::hub::{
    FromHub, LossChecker, MessageEnd, Note, Step, UnsupportedSteps, WriteOptions, message_id,
};
use crate::json::{Member, Value};

type WireOutput<'o> = crate::hub::EventOutput<'o, WireEvent>;

/// The steps that Chat Completions cannot represent.
const UNSUPPORTED: UnsupportedSteps = &[
    ("activity", NO_CHUNK),
    ("alternative", "the answer is one choice: this alternative became part of it"),
    ("approval", "Chat Completions has no answers in streams: it is left out"),
    ("arguments-replaced", "the arguments of calls only grow"),
    ("audio", NO_MEDIA),
    ("call-members", "calls have an id, a name and an input"),
    ("custom", NO_CHUNK),
    ("data", NO_MEDIA),
    ("error-message", "an error would end the stream"),
    ("file", NO_MEDIA),
    ("image", NO_MEDIA),
    ("interrupt-members", QUESTION),
    ("lane", "completions have no subagents: the output of this one became the answer's"),
    ("message-members", "the message has no name and no parent"),
    ("message-status", "the messages of the run became one"),
    ("messages", NO_CHUNK),
    ("output", NO_CHUNK),
    ("part-dropped", "the message only grows"),
    ("preview", "the results of calls are the client's"),
    ("progress", NO_CHUNK),
    ("role", "the answer is the assistant's: the text became part of it"),
    ("run-result", "the result of a completion is its message"),
    ("state", NO_CHUNK),
    ("status", NO_CHUNK),
    ("step", NO_CHUNK),
    ("text-replaced", "the message only grows"),
    ("unknown-event", NO_CHUNK),
    ("video", NO_MEDIA),
];

const NO_CHUNK: &str = "Chat Completions has no chunk for it";
const NO_MEDIA: &str = "the answer is text, reasoning and calls";
const QUESTION: &str =
    "Chat Completions has no questions: the text of this one became part of the answer";
const NO_METADATA: &str = "messages and calls have no metadata";
const UNREADABLE: &str = "clients of Chat Completions could not have read it: left out";

/// The text of a question that has none.
const WAITS: &str = "The agent waits for an answer.";

/// The member of a message with its citations.
const ANNOTATIONS: &str = "annotations";

/// The members of a chunk that are written from other data, or that end a stream.
const OWN: &[&str] = &["id", "object", "created", "model", "choices", "usage", "error"];

/// Writes Chat Completions: the target of a conversion. Heartbeats are not events of the protocol:
/// they are omitted here, and a [`Converter`](crate::convert::Converter) writes them as comments.
///
/// The members of the request in the [options](WriteOptions::echo) decide the form: the chunks of
/// a stream, or one completion unless `stream` is true; the token usage of a stream, if
/// `stream_options.include_usage` is true; and which `tools` are the client's. Without a request
/// the answer is a stream with its token usage.
#[derive(Debug)]
pub struct ToChat {
    options: WriteOptions,
    losses: LossChecker,
    answer: AnswerWriter,
    calls: WrittenCalls,
    carried: CarriedState,
    has_question: bool,
    metadata: Metadata,
    usage: Option<Value>,
}

impl ToChat {
    /// Creates a target at the start of an answer. Ids that the options do not have are taken from
    /// the source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        let echo = &options.echo;
        let is_true = |value: Option<&Value>| value.and_then(Value::as_bool) == Some(true);
        let has_request = !echo.is_null();
        let usage = echo.get("stream_options").and_then(|options| options.get("include_usage"));
        let whole = has_request && !is_true(echo.get("stream"));
        let answer = AnswerWriter::new(!has_request || is_true(usage), whole);
        ToChat {
            calls: WrittenCalls::of(echo),
            options,
            losses: LossChecker::default(),
            answer,
            carried: CarriedState::default(),
            has_question: false,
            metadata: Metadata::default(),
            usage: None,
        }
    }

    /// Returns whether the last event was a piece of a text.
    pub(super) fn is_after_piece(&self) -> bool {
        self.answer.is_after_piece()
    }

    /// Appends the chunks of further pieces of the text that the last event belongs to. `ends` are
    /// the ends of the pieces in `text`.
    pub(super) fn append_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        self.answer.append_pieces(text, ends, out);
    }

    fn start(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Start { id, session_id, parent_id, model, created_at } = *step else { return };
        let options = &mut self.options;
        if options.echo.get("n").and_then(Value::integer::<i64>).is_some_and(|count| count > 1) {
            out.lose("parameter", "n", "the answer is one choice");
        }
        let id = options.run_id.take().or(message_id(id, out).map(ToOwned::to_owned));
        let model = model.filter(|model| !model.is_empty()).or(options.echo.text("model"));
        if session_id.or(parent_id).is_some() {
            out.lose("run-ids", "", "completions do not name their conversation");
        }
        self.answer.head = Head {
            id: id.unwrap_or_else(|| options.ids.next_id("chatcmpl-")),
            created: created_at.unwrap_or_else(options.clock),
            model: model.map(|model| name_of(model, out)).unwrap_or_default(),
        };
    }

    /// Writes the text of a question. The next message of the user is not an answer to it.
    fn ask(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Interrupt {
            id, reason, payload, text, call, expires_at, response_schema, ..
        } = *step
        else {
            return;
        };
        self.has_question = true;
        if call.or(expires_at).is_none() && response_schema.is_none() {
            out.lose("interrupt-members", id, QUESTION);
        }
        let text = text.or_else(|| payload.text(TEXT)).or(reason).unwrap_or(WAITS);
        if self.answer.lengths().content > 0 {
            self.answer.piece(GrowingText::Content, "\n\n", out);
        }
        self.answer.piece(GrowingText::Content, text, out);
    }

    fn note(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        match *note {
            Note::Usage { usage, message: None } => self.usage = Some(usage.clone()),
            Note::Usage { message: Some(message), .. } => {
                out.lose("usage", out.place(message), "the tokens of the whole answer are counted");
            }
            Note::Metadata { value, message: None, call: None } => self.add_metadata(value, out),
            Note::Metadata { value, message: Some(message), call: None } => {
                self.message_metadata(value, out.place(message), out);
            }
            Note::Metadata { call, .. } => {
                out.lose("metadata", call.unwrap_or(""), NO_METADATA);
            }
            Note::Annotation { message, annotation, .. } => {
                self.annotate(annotation, out.place(message), out);
            }
            Note::Opaque { .. } => self.opaque(note, out),
            Note::ToolError { id, text, .. } => self.result(id, text, true, out),
            // The losses of other notes are noted already.
            _ => {}
        }
    }

    fn close(&mut self, message: u32, end: &MessageEnd, out: &mut WireOutput<'_>) {
        let place = out.message(message).map_or("", |message| &message.place);
        if end.usage.is_some() {
            out.lose("usage", place, "the tokens of the whole answer are counted");
        }
        if let Some(metadata) = &end.metadata {
            self.message_metadata(metadata, place, out);
        }
    }

    /// Writes the annotations in the metadata of a message, where other protocols have them.
    fn message_metadata(&mut self, metadata: &Value, place: &str, out: &mut WireOutput<'_>) {
        let annotations = metadata.get(ANNOTATIONS).map(Value::items).unwrap_or_default();
        annotations.iter().for_each(|annotation| self.annotate(annotation, place, out));
        if !metadata.members_without(&[ANNOTATIONS]).is_empty() {
            out.lose("metadata", place, NO_METADATA);
        }
    }

    fn annotate(&mut self, annotation: &Value, place: &str, out: &mut WireOutput<'_>) {
        const OF_CITATION: &[&str] = &["type", "url", "uri", "title", "start_index", "end_index"];
        let citation = citation(annotation).filter(is_readable);
        if citation.is_none() || !annotation.members_without(OF_CITATION).is_empty() {
            let reason = "a citation has the address of a page, a title and a place in the text";
            out.lose("annotation", place, reason);
        }
        if let Some(citation) = citation {
            self.answer.member(ANNOTATIONS, Value::Array([citation].into()), out);
        }
    }

    /// Keeps metadata of the run: they are members of the last chunk.
    fn add_metadata(&mut self, metadata: &Value, out: &mut WireOutput<'_>) {
        for Member { key, value } in metadata.members() {
            if OWN.contains(&&**key) || !is_readable(value) {
                out.lose("refused", key, UNREADABLE);
            } else {
                self.metadata.set(key, value.clone());
            }
        }
    }
}

impl FromHub for ToChat {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        self.losses.check(UNSUPPORTED, step, out);
        if !out.meta().metadata.is_empty() {
            out.lose("metadata", "", "chunks have no metadata");
        }
        match *step {
            Step::Text { piece, .. } => self.answer.piece(GrowingText::Content, piece, out),
            Step::Arguments { message, part, piece } => self.arguments((message, part), piece, out),
            Step::Reasoning { piece, .. } => {
                self.answer.piece(GrowingText::Reasoning, piece, out);
            }
            Step::Refusal { piece, .. } => self.answer.piece(GrowingText::Refusal, piece, out),
            Step::Start { .. } => self.start(step, out),
            Step::Call { .. } => self.call(step, out),
            Step::EndPart { message, part, whole } => self.end_input(message, part, whole),
            Step::Close { message, end } => self.close(message, end, out),
            Step::Result { id, output, content, preview: false, .. } => {
                if content.is_some() {
                    out.lose("result-parts", id, "the state of a call has the text of its result");
                }
                self.result(id, output, false, out);
            }
            Step::Interrupt { .. } => self.ask(step, out),
            Step::Note(ref note) => self.note(note, out),
            Step::End(end) => self.end(end, out),
            _ => {}
        }
    }
}

/// Returns the name of a model. Every chunk repeats it.
fn name_of(model: &str, out: &mut WireOutput<'_>) -> String {
    if crate::hub::can_repeat(model) {
        return model.to_owned();
    }
    out.lose("refused", "model", "every chunk repeats it, and it is too long");
    String::new()
}

/// Returns a citation as an annotation of a message, if it has the address of a page.
fn citation(annotation: &Value) -> Option<Value> {
    let url = annotation.text("url").or(annotation.text("uri"))?;
    let title = annotation.text("title").unwrap_or(url);
    let index = |name: &str| {
        let index = annotation.get(name).filter(|index| matches!(index, Value::Number(_)));
        index.cloned().unwrap_or_else(|| 0.into())
    };
    let citation = [
        ("start_index", index("start_index")),
        ("end_index", index("end_index")),
        ("title", title.into()),
        ("url", url.into()),
    ];
    Some([("type", "url_citation".into()), ("url_citation", citation.into())].into())
}

/// Whether readers can read free JSON in a chunk.
fn is_readable(value: &Value) -> bool {
    /// The levels above an annotation: the chunk, its choices, one of them, its delta, the list.
    const ABOVE: u32 = 5;
    let deepest = Limits::default().json_depth - ABOVE;
    FreeJsonCheck { deepest, call: "" }.value(value, deepest).is_ok()
}
