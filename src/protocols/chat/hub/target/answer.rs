//! The answer as it is written: chunks of a stream, or one whole completion.

use alloc::string::String;
use alloc::vec::Vec;

use super::WireOutput;
use super::whole::WholeMessage;
use crate::core::request::openai::error_body;
use crate::core::{PieceTemplate, WireEvent};
use crate::hub::InputFormat;
use crate::json::{Member, ObjectWriter, Raw, Value};

/// A text that grows by pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrowingText {
    Content,
    Reasoning,
    Refusal,
    /// The arguments of the call with this index, or the text that it takes.
    Input(usize, InputFormat),
}

/// What all chunks of a stream, or the completion, begin with.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub id: String,
    /// In seconds since 1970.
    pub created: i64,
    pub model: String,
}

/// Writes the answer.
#[derive(Debug, Default)]
pub(super) struct AnswerWriter {
    pub head: Head,
    /// Whether the stream ends with the token usage.
    has_usage: bool,
    /// The completion, if the answer is not a stream.
    whole: Option<WholeMessage>,
    has_role: bool,
    lengths: Lengths,
    /// The last text that had a piece, and the template of its chunks.
    template: Option<(GrowingText, PieceTemplate)>,
    /// The last event was a piece of that text.
    is_piece: bool,
}

/// The lengths, in bytes, of texts of the message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lengths {
    pub reasoning: usize,
    pub content: usize,
}

impl Lengths {
    fn add(&mut self, text: GrowingText, piece: &str) {
        match text {
            GrowingText::Content => self.content += piece.len(),
            GrowingText::Reasoning => self.reasoning += piece.len(),
            GrowingText::Refusal | GrowingText::Input(..) => {}
        }
    }
}

impl Head {
    fn write(&self, object: &'static str, out: &mut ObjectWriter<'_>) {
        out.string("id", Some(&self.id));
        out.string("object", Some(object));
        out.integer("created", Some(self.created));
        out.string("model", Some(&self.model));
    }
}

impl AnswerWriter {
    /// Creates a writer of a stream, which may end with the token usage, or of a `whole`
    /// completion.
    pub fn new(has_usage: bool, whole: bool) -> Self {
        let whole = whole.then(WholeMessage::default);
        AnswerWriter { has_usage, whole, ..Self::default() }
    }

    /// Returns whether the last event was a piece of a text.
    pub fn is_after_piece(&self) -> bool {
        self.is_piece
    }

    /// Appends the chunks of further pieces of the text that the last event belongs to.
    pub fn append_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        if let Some((of, template)) = &self.template {
            self.lengths.add(*of, text);
            template.append(None, (text, ends), out);
        }
    }

    /// Returns the lengths of the texts of the message.
    pub fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// Writes a piece of a text.
    pub fn piece(&mut self, text: GrowingText, piece: &str, out: &mut WireOutput<'_>) {
        self.lengths.add(text, piece);
        if let Some(whole) = &mut self.whole {
            return whole.append(text, piece);
        }
        self.begin(text == GrowingText::Content, out);
        if self.template.as_ref().is_none_or(|(of, _)| *of != text) {
            self.template = Some((text, self.template_of(text)));
        }
        if let Some((_, template)) = &self.template {
            self.is_piece = true;
            out.emit(template.event(None, piece));
        }
    }

    /// Writes the beginning of a call: its index, and the members that it has by then.
    pub fn call(
        &mut self,
        (index, input): (usize, InputFormat),
        (id, name): (&str, &str),
        more: Vec<Member>,
        out: &mut WireOutput<'_>,
    ) {
        if let Some(whole) = &mut self.whole {
            return whole.call((id, name), input, more);
        }
        self.begin(false, out);
        self.delta(out, |delta| {
            write_call(index, delta, |call| {
                call.string("id", Some(id));
                let kind = kind_of(input);
                call.string("type", Some(kind));
                let mut tool = ObjectWriter::open(call.member(kind), true);
                tool.string("name", Some(name));
                tool.string(member_of(input), Some(""));
                tool.close();
                more.iter().for_each(|member| call.value(&member.key, Some(&member.value)));
            });
        });
    }

    /// Adds members to a call that has begun.
    pub fn call_members(&mut self, index: usize, more: Vec<Member>, out: &mut WireOutput<'_>) {
        if let Some(whole) = &mut self.whole {
            return whole.call_members(index, more);
        }
        self.delta(out, |delta| {
            write_call(index, delta, |call| {
                more.iter().for_each(|member| call.value(&member.key, Some(&member.value)));
            });
        });
    }

    /// Adds a member to the message. The items of lists are added to those before.
    pub fn member(&mut self, key: &'static str, value: Value, out: &mut WireOutput<'_>) {
        if let Some(whole) = &mut self.whole {
            return whole.add(key, value);
        }
        self.begin(false, out);
        self.delta(out, |delta| {
            // Clients of reasoning expect the text beside it.
            delta.raw("content", Some(Raw("null")));
            delta.value(key, Some(&value));
        });
    }

    /// Ends the answer.
    pub fn finish(
        &mut self,
        finish: &str,
        usage: Option<&Value>,
        more: &[Member],
        out: &mut WireOutput<'_>,
    ) {
        let write_more = |object: &mut ObjectWriter<'_>| {
            more.iter().for_each(|member| object.value(&member.key, Some(&member.value)));
        };
        if let Some(whole) = &self.whole {
            return out.emit(event(|object| {
                self.head.write("chat.completion", object);
                whole.write(finish, object.member("choices"));
                object.value("usage", usage);
                write_more(object);
            }));
        }
        self.begin(true, out);
        self.chunk(out, Some(finish), |_| {}, write_more);
        if let Some(usage) = usage.filter(|_| self.has_usage) {
            out.emit(event(|object| {
                self.head.write("chat.completion.chunk", object);
                object.raw("choices", Some(Raw("[]")));
                object.value("usage", Some(usage));
            }));
        }
        self.done(out);
    }

    /// Ends the answer with an error, which clients throw.
    pub fn fail(&mut self, code: Option<&str>, message: &str, out: &mut WireOutput<'_>) {
        if self.whole.is_none() {
            // Only chunks name the completion.
            self.begin(true, out);
        }
        out.emit(WireEvent::raw(&error_body(message, "server_error", None, code)));
        self.done(out);
    }

    fn done(&mut self, out: &mut WireOutput<'_>) {
        self.is_piece = false;
        if self.whole.is_none() {
            out.emit(WireEvent::raw("[DONE]"));
        }
    }

    /// Writes the role once. A message that does not begin with a text has no content yet.
    fn begin(&mut self, has_text: bool, out: &mut WireOutput<'_>) {
        if !core::mem::replace(&mut self.has_role, true) {
            self.delta(out, |delta| {
                delta.string("role", Some("assistant"));
                delta.raw("content", Some(Raw(if has_text { "\"\"" } else { "null" })));
                delta.raw("refusal", Some(Raw("null")));
            });
        }
    }

    fn delta(&mut self, out: &mut WireOutput<'_>, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.chunk(out, None, members, |_| {});
    }

    fn chunk(
        &mut self,
        out: &mut WireOutput<'_>,
        finish: Option<&str>,
        delta: impl FnOnce(&mut ObjectWriter<'_>),
        more: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        self.is_piece = false;
        out.emit(self.event(finish, delta, more));
    }

    fn event(
        &self,
        finish: Option<&str>,
        delta: impl FnOnce(&mut ObjectWriter<'_>),
        more: impl FnOnce(&mut ObjectWriter<'_>),
    ) -> WireEvent {
        event(|object| {
            self.head.write("chat.completion.chunk", object);
            write_only(object.member("choices"), false, |choice| {
                choice.integer("index", Some(0));
                let mut members = ObjectWriter::open(choice.member("delta"), true);
                delta(&mut members);
                members.close();
                choice.raw("logprobs", None);
                choice.string("finish_reason", finish);
            });
            if self.has_usage {
                object.raw("usage", Some(Raw("null")));
            }
            more(object);
        })
    }

    fn template_of(&self, text: GrowingText) -> PieceTemplate {
        let empty = self.event(None, |delta| write_piece(text, delta), |_| {});
        let call = if matches!(text, GrowingText::Input(..)) { "}}]" } else { "" };
        let usage = if self.has_usage { r#","usage":null"# } else { "" };
        let after = ["\"", call, r#"},"logprobs":null,"finish_reason":null}]"#, usage, "}"];
        PieceTemplate::before(&empty, None, &after.concat())
    }
}

fn write_piece(text: GrowingText, delta: &mut ObjectWriter<'_>) {
    match text {
        GrowingText::Content => delta.string("content", Some("")),
        GrowingText::Reasoning => {
            // Clients of servers with reasoning take a message without this member for another
            // kind of event.
            delta.raw("content", Some(Raw("null")));
            delta.string("reasoning_content", Some(""));
        }
        GrowingText::Refusal => delta.string("refusal", Some("")),
        GrowingText::Input(index, input) => write_call(index, delta, |call| {
            let mut tool = ObjectWriter::open(call.member(kind_of(input)), true);
            tool.string(member_of(input), Some(""));
            tool.close();
        }),
    }
}

fn write_call(
    index: usize,
    delta: &mut ObjectWriter<'_>,
    members: impl FnOnce(&mut ObjectWriter<'_>),
) {
    write_only(delta.member("tool_calls"), true, |call| {
        call.integer("index", Some(index as i64));
        members(call);
    });
}

/// Writes a list of one object.
fn write_only(out: &mut String, omit_null: bool, members: impl FnOnce(&mut ObjectWriter<'_>)) {
    out.push('[');
    let mut only = ObjectWriter::open(out, omit_null);
    members(&mut only);
    only.close();
    out.push(']');
}

/// Returns the type of a call, which is also the member with its name and input.
pub(super) fn kind_of(input: InputFormat) -> &'static str {
    if input == InputFormat::Text { "custom" } else { "function" }
}

/// Returns the member with the input of a call.
pub(super) fn member_of(input: InputFormat) -> &'static str {
    if input == InputFormat::Text { "input" } else { "arguments" }
}

fn event(members: impl FnOnce(&mut ObjectWriter<'_>)) -> WireEvent {
    /// The capacity, in bytes, for the members of most chunks.
    const USUAL: usize = 256;
    WireEvent::written(USUAL, None, |frame| {
        let mut object = ObjectWriter::open(frame, true);
        members(&mut object);
        object.close();
    })
}
