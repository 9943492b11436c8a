//! From the hub to the AI SDK.
//!
//! All messages become parts of one message. Only chunks that `ai` 6 reads are written, and a step
//! ends where no text and no input of a call is open. (V4, V13.)

mod opaque;

use alloc::borrow::ToOwned;
use alloc::string::String;

use self::opaque::States;
use super::{
    EXPIRES_AT, MESSAGE_ID, PAYLOAD, PROVIDER, QUESTION, REASON, RESPONSE_SCHEMA, STOP,
    is_inserted, media, usage,
};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::{Limits, PieceTemplate, WireEvent};
use crate::hub::approval::{OpenQuestions, TEXT, is_without_tool, question_with_text};
use crate::hub::{
    CallIds, EndStatus, FromHub, InputFormat, LossChecker, MediaBuffer, MessageKind, Note, Payload,
    RunEnd, Step, ToolKind, UnsupportedSteps, WriteOptions, present_members,
};
use crate::json::{Member, ObjectWriter, Raw, Value, decimal};
use crate::protocols::ai_sdk::events::Event;

type WireOutput<'o> = crate::hub::EventOutput<'o, WireEvent>;

/// The steps that the AI SDK cannot represent.
const UNSUPPORTED: UnsupportedSteps = &[
    ("alternative", "a stream is one message: this one became part of it"),
    ("approval", "`ai` 6 has no chunk for an answer: only a denial is written"),
    ("error-code", "errors of the AI SDK are a text: the code is a part of it"),
    ("error-message", "chats end at an error: it became the data part `data-error`"),
    ("lane", "the AI SDK has no subagents: the output of this one became the message's"),
    ("message-members", "a stream is one message: its parts have neither names nor parents"),
    ("message-status", "parts have no status"),
    ("messages", NO_CHUNK),
    ("part-dropped", "`ai` 6 keeps all parts"),
    ("result-parts", "outputs of tools are any JSON: this one is its text"),
    ("role", "a stream is a message of the assistant"),
    ("state", NO_CHUNK),
    ("text-replaced", "texts only grow"),
    ("unknown-event", NO_CHUNK),
];

const NO_CHUNK: &str = "the AI SDK has no chunk for it, and clients stop at an unknown one (V2)";
const CALL_MEMBERS: &str = "calls of the AI SDK have an id, a name, a title and an input";
const METADATA: &str = "only the message and its texts have metadata";

/// Writes the AI SDK: the target of a conversion. Heartbeats are not chunks: they are left out
/// here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToAiSdk {
    /// The options, until the message begins.
    options: Option<WriteOptions>,
    losses: LossChecker,
    in_step: bool,
    /// The step ends when nothing is open.
    step_ends: bool,
    /// The agent has run a tool of its own since the last text or call.
    is_answered: bool,
    /// The number of open texts and inputs.
    open: usize,
    /// The open texts, by message and part.
    texts: Numbers<WrittenText>,
    /// The text whose end is written with the next chunk: until then, its opaque members can
    /// follow.
    ended: Option<u64>,
    /// The metadata of parts, calls and results that wait for their chunk.
    states: States,
    /// The text of the last step, if it was a piece of one.
    last: Option<(u64, PieceTemplate)>,
    calls: StringMap<WrittenCall>,
    /// The ids of the calls, by message and part.
    call_places: Numbers<String>,
    call_ids: CallIds,
    /// The calls of open questions.
    questions: OpenQuestions<String>,
    media: MediaBuffer,
    /// The data that the next data with its id replaces, by message and part.
    previews: Numbers<()>,
    /// The number of calls that wait for the client.
    waiting: usize,
    usage: Value,
    has_refusal: bool,
    /// The numbers of the ids that were created, by their prefixes.
    ids: StringMap<i64>,
}

#[derive(Debug)]
struct WrittenText {
    id: String,
    kind: &'static str,
    /// The metadata at its end.
    metadata: Option<Value>,
}

#[derive(Debug, Default)]
struct WrittenCall {
    name: String,
    dynamic: bool,
    executed: bool,
    is_text: bool,
    /// The input so far.
    input: String,
    /// The output of the running tool so far.
    output: String,
    ended: bool,
    /// It waits for the client: for its output or for its approval.
    waits: bool,
    denied: bool,
    /// Its result was written.
    has_result: bool,
}

impl ToAiSdk {
    /// Creates a target at the start of a stream. The option `echo` has the `messageId` of the
    /// message that the answer continues. Ids that the options do not have are taken from the
    /// source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        ToAiSdk {
            options: Some(options),
            losses: LossChecker::default(),
            in_step: false,
            step_ends: false,
            is_answered: false,
            open: 0,
            texts: Numbers::default(),
            ended: None,
            states: States::default(),
            last: None,
            calls: StringMap::default(),
            call_places: Numbers::default(),
            call_ids: CallIds::default(),
            questions: OpenQuestions::default(),
            media: MediaBuffer::default(),
            previews: Numbers::default(),
            waiting: 0,
            usage: Value::Null,
            has_refusal: false,
            ids: StringMap::default(),
        }
    }

    pub(super) fn can_write_pieces(&self) -> bool {
        self.last.is_some()
    }

    pub(super) fn write_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        if let Some((_, template)) = &self.last {
            template.append(None, (text, ends), out);
        }
    }

    /// Writes the start of the message.
    fn start(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let (Step::Start { id, session_id, parent_id, model, created_at }, Some(mut options)) =
            (*step, self.options.take())
        else {
            return;
        };
        let continued = options.echo.text(MESSAGE_ID).map(ToOwned::to_owned);
        let id = continued
            .or(options.run_id)
            .or_else(|| id.filter(|id| !id.is_empty()).map(ToOwned::to_owned));
        let id = id.unwrap_or_else(|| options.ids.next_id("msg_"));
        let metadata = present_members([
            ("sessionId", options.session_id.as_deref().or(session_id).map(Into::into)),
            ("createdAt", created_at.map(Into::into)),
            ("model", model.map(Into::into)),
            ("parentRunId", parent_id.map(Into::into)),
        ]);
        let metadata = (!metadata.is_empty()).then(|| Value::Object(metadata).to_json());
        chunk("start", out, |chunk| {
            chunk.string(MESSAGE_ID, Some(&id));
            chunk.raw("messageMetadata", metadata.as_deref().map(Raw));
        });
    }

    /// Begins a step before content, and ends the one before it, if it ends here.
    fn content(&mut self, out: &mut WireOutput<'_>) {
        if core::mem::take(&mut self.step_ends) && self.open == 0 {
            self.end_step(out);
        }
        if !core::mem::replace(&mut self.in_step, true) {
            chunk("start-step", out, |_| ());
        }
    }

    /// Begins another step after the results of the agent's own tools: a step is one answer of a
    /// model.
    fn next_answer(&mut self, out: &mut WireOutput<'_>) {
        if self.is_answered && self.open == 0 {
            self.is_answered = false;
            self.end_step(out);
        }
    }

    fn end_step(&mut self, out: &mut WireOutput<'_>) {
        if core::mem::take(&mut self.in_step) {
            chunk("finish-step", out, |_| ());
        }
    }

    /// Ends a step, now or as soon as nothing is open. The next one begins with its content.
    fn step(&mut self, out: &mut WireOutput<'_>) {
        self.step_ends = self.open > 0;
        if !self.step_ends {
            self.end_step(out);
        }
    }

    /// Returns a new id.
    fn next_id(&mut self, prefix: &str) -> String {
        let number = self.ids.get_or_insert_default(prefix);
        *number += 1;
        [prefix, &decimal(*number)].concat()
    }

    fn begin_text(
        &mut self,
        (message, part): (u32, u32),
        kind: &'static str,
        refusal: bool,
        out: &mut WireOutput<'_>,
    ) {
        self.next_answer(out);
        self.content(out);
        let id = self.next_id("text_");
        let metadata = refusal.then(|| own_metadata("kind", "refusal"));
        self.has_refusal |= refusal;
        chunk(if kind == "text" { "text-start" } else { "reasoning-start" }, out, |chunk| {
            chunk.string("id", Some(&id));
            chunk.value("providerMetadata", metadata.as_ref());
        });
        self.open += 1;
        let mut text = WrittenText { id, kind, metadata };
        if let Some(state) = self.states.take_part(pair(message, part)) {
            text.add(state);
        }
        self.texts.insert(pair(message, part), text);
    }

    /// Writes a piece of a text.
    fn piece(
        &mut self,
        at: (u32, u32),
        kind: &'static str,
        refusal: bool,
        piece: &str,
        out: &mut WireOutput<'_>,
    ) {
        self.end_text(out);
        let place = pair(at.0, at.1);
        if let Some((last, template)) = &self.last
            && *last == place
        {
            return out.emit(template.event(None, piece));
        }
        if self.texts.get(place).is_none() {
            if piece.is_empty() {
                return;
            }
            self.begin_text(at, kind, refusal, out);
        }
        let Some(WrittenText { id, kind, .. }) = self.texts.get(place) else { return };
        let (id, provider_metadata, delta) = (id.as_str().into(), None, "".into());
        let empty = match *kind {
            "text" => Event::TextDelta { id, provider_metadata, delta },
            _ => Event::ReasoningDelta { id, provider_metadata, delta },
        };
        let template = PieceTemplate::new(&empty.to_wire(), None);
        out.emit(template.event(None, piece));
        self.last = Some((place, template));
    }

    /// Writes the end of the text that has ended.
    fn end_text(&mut self, out: &mut WireOutput<'_>) {
        let Some(text) = self.ended.take().and_then(|at| self.texts.remove(at)) else { return };
        self.open -= 1;
        chunk(if text.kind == "text" { "text-end" } else { "reasoning-end" }, out, |chunk| {
            chunk.string("id", Some(&text.id));
            // Those of the start stay, unless others replace them.
            chunk.value("providerMetadata", text.metadata.as_ref().filter(|_| text.has_state()));
        });
    }

    fn end_part(&mut self, at: u64, message: u32, whole: bool, out: &mut WireOutput<'_>) {
        if self.texts.get(at).is_some() {
            self.ended = Some(at);
        } else if let Some(id) = self.call_places.remove(at) {
            self.end_input(&id, whole, out);
        } else if let Some(media) = self.media.take(at) {
            if whole {
                self.whole(at, media.payload(), false, out);
            } else {
                out.lose("file", out.place(message), "it was cut off");
            }
        }
    }

    fn call(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Call { message, part, id, name, input, more } = *step else { return };
        let id = self.call_ids.of(id, out).to_owned();
        let tool =
            if let MessageKind::Call(tool) = out.kind(message) { tool } else { ToolKind::Function };
        if matches!(tool, ToolKind::Component | ToolKind::Mcp) {
            let reason =
                "the AI SDK records that a tool is executed elsewhere, not by which kind of server";
            out.lose("tool-family", &id, reason);
        }
        let known =
            |name: &str| more.iter().find(|member| member.key == name).map(|member| &member.value);
        if more.iter().any(|member| !["dynamic", "title", "toolMetadata"].contains(&&*member.key)) {
            out.lose("call-members", &id, CALL_MEMBERS);
        }
        let title = known("title").and_then(Value::as_str);
        let metadata = known("toolMetadata").filter(|value| matches!(value, Value::Object(_)));
        let metadata = metadata.map(|value| clean(value.clone(), &id, out));
        let dynamic = known("dynamic") == Some(&Value::Bool(true));
        let (executed, is_text) = (tool != ToolKind::Function, input == InputFormat::Text);
        self.next_answer(out);
        self.content(out);
        chunk("tool-input-start", out, |chunk| {
            chunk.string("toolCallId", Some(&id));
            chunk.string("toolName", Some(name));
            chunk.string("inputEncoding", is_text.then_some("text"));
            flags(executed, dynamic, chunk);
            chunk.string("title", title);
            chunk.value("toolMetadata", metadata.as_ref());
        });
        self.open += 1;
        let call =
            WrittenCall { name: name.into(), dynamic, executed, is_text, ..WrittenCall::default() };
        self.calls.insert(&id, call);
        self.call_places.insert(pair(message, part), id);
    }

    fn arguments(&mut self, at: u64, piece: &str, out: &mut WireOutput<'_>) {
        let Some(id) = self.call_places.get(at) else { return };
        let Some(call) = self.calls.get_mut(id).filter(|call| !call.ended) else { return };
        call.input.push_str(piece);
        chunk("tool-input-delta", out, |chunk| {
            chunk.string("toolCallId", Some(id));
            chunk.string("inputTextDelta", Some(piece));
        });
    }

    /// Writes the input of a call that is complete (`whole`), or leaves it as it is. (V10.)
    fn end_input(&mut self, id: &str, whole: bool, out: &mut WireOutput<'_>) {
        let Some(call) = self.calls.get_mut(id).filter(|call| !call.ended) else { return };
        call.ended = true;
        self.open -= 1;
        let text = core::mem::take(&mut call.input);
        if !whole {
            // A client would run it.
            return;
        }
        let input = match text.trim_ascii() {
            _ if call.is_text => Ok(Value::String(text)),
            "" => Ok(Value::Object([].into())),
            json => match Value::parse(json, depth()) {
                // An input is a JSON value, not its text. (V10.)
                Ok(Value::String(inner)) => {
                    Ok(parsed(&inner).map_or(Value::String(inner), |input| {
                        out.lose(
                            "arguments-replaced",
                            id,
                            "an input is a JSON value, not its text",
                        );
                        input
                    }))
                }
                other => other.map_err(|_| text),
            },
        };
        let state = self.states.take_call(id);
        call.waits = input.is_ok() && !call.executed;
        self.waiting += usize::from(call.waits);
        match input.map(|input| clean(input, id, out)) {
            Ok(input) => chunk("tool-input-available", out, |chunk| {
                chunk.string("toolCallId", Some(id));
                chunk.string("toolName", Some(&call.name));
                chunk.value("input", Some(&input));
                chunk.value("providerMetadata", state.as_ref());
                flags(call.executed, call.dynamic, chunk);
            }),
            Err(text) => {
                out.lose("tool-error", id, "an input that is not JSON is an error of its call");
                input_error(id, call, &text, "The input is not JSON.", out);
            }
        }
    }

    fn result(&mut self, id: &str, output: &str, preview: bool, out: &mut WireOutput<'_>) {
        let id = self.call_ids.of(id, out).to_owned();
        self.end_input(&id, true, out);
        let output = parsed(output).map_or_else(|| output.into(), |value| clean(value, &id, out));
        let Some((executed, dynamic)) = self.resume_call(&id) else { return };
        let state = if preview { None } else { self.states.take_result(&id) };
        self.calls.get_mut(&id).into_iter().for_each(|call| call.has_result |= !preview);
        self.content(out);
        chunk("tool-output-available", out, |chunk| {
            chunk.string("toolCallId", Some(&id));
            chunk.value("output", Some(&output));
            chunk.value("providerMetadata", state.as_ref());
            flags(executed, dynamic, chunk);
            chunk.bool("preliminary", preview.then_some(true));
        });
        self.is_answered |= !preview && !executed;
    }

    fn tool_error(&mut self, id: &str, cause: Option<&str>, text: &str, out: &mut WireOutput<'_>) {
        let id = self.call_ids.of(id, out).to_owned();
        if let Some(call) =
            self.calls.get_mut(&id).filter(|call| cause == Some("input") && !call.ended)
        {
            call.ended = true;
            self.open -= 1;
            let input = core::mem::take(&mut call.input);
            return input_error(&id, call, &input, text, out);
        }
        self.end_input(&id, true, out);
        let Some((executed, dynamic)) = self.resume_call(&id) else { return };
        if cause == Some("denied") {
            let call = self.calls.get_mut(&id);
            if call.is_some_and(|call| core::mem::replace(&mut call.denied, true)) {
                return;
            }
            if !["", "The call was denied."].contains(&text) {
                out.lose("tool-error", &id, "a denial has no text");
            }
            self.content(out);
            return chunk("tool-output-denied", out, |chunk| chunk.string("toolCallId", Some(&id)));
        }
        let state = self.states.take_result(&id);
        self.calls.get_mut(&id).into_iter().for_each(|call| call.has_result = true);
        self.content(out);
        chunk("tool-output-error", out, |chunk| {
            chunk.string("toolCallId", Some(&id));
            chunk.string("errorText", Some(text));
            chunk.value("providerMetadata", state.as_ref());
            flags(executed, dynamic, chunk);
        });
        self.is_answered |= !executed;
    }

    /// Writes a question. One that is not about a call becomes a call that has to be approved. The
    /// text is the reason that people read; what the chunk has no member for is its description,
    /// which both versions of `ai` keep.
    fn ask(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Interrupt {
            id, reason, payload, call, text, expires_at, response_schema, ..
        } = *step
        else {
            return;
        };
        let known = call.map(|call| self.call_ids.of(call, out).to_owned());
        let known = known.filter(|call| self.calls.get(call).is_some());
        let name = known.as_ref().and_then(|call| Some(&*self.calls.get(call)?.name));
        let is_call = name.is_some_and(|name| payload.text("name") == Some(name))
            && payload.members().len() <= 2;
        let has_tool = !is_without_tool(payload);
        if has_tool && !is_call {
            out.lose("interrupt-members", id, "the question is its call: a tool and an input");
        }
        let is_inserted = known.as_deref().is_none_or(|call| is_inserted(call, name));
        // It cannot be read from the call that the question is about.
        let own_payload =
            Some(payload).filter(|payload| !(has_tool || is_inserted || payload.is_null()));
        let own_payload = own_payload.map(|payload| clean(payload.clone(), id, out));
        let is_in_payload =
            is_inserted && !has_tool && text.is_some() && payload.text(TEXT) == text;
        let call = known.unwrap_or_else(|| {
            out.lose("call-missing", id, "a question is about a call: one was inserted");
            let ([name, arguments, _], _) = question_with_text(payload, text);
            // Not the id of the question, which can be that of a later call.
            let own = Some([QUESTION, id].concat());
            let own = own.filter(|call| !id.is_empty() && self.calls.get(call).is_none());
            let call = own.unwrap_or_else(|| self.next_id(QUESTION));
            let new_call = WrittenCall { name, input: arguments, ..WrittenCall::default() };
            self.calls.insert(&call, new_call);
            self.next_answer(out);
            self.open += 1;
            self.content(out);
            call
        });
        self.end_input(&call, true, out);
        if let Some(call) = self.calls.get_mut(&call) {
            self.waiting += usize::from(!core::mem::replace(&mut call.waits, true));
        }
        let schema = response_schema.map(|schema| clean(schema.clone(), id, out));
        let more = present_members([
            (REASON, reason.filter(|_| text.is_some()).map(Value::from)),
            (TEXT, text.filter(|_| !is_in_payload).map(Value::from)),
            (EXPIRES_AT, expires_at.map(Value::from)),
            (RESPONSE_SCHEMA, schema),
            (PAYLOAD, own_payload),
        ]);
        let more = Some(Value::Object(more)).filter(|more| !more.members().is_empty());
        chunk("tool-approval-request", out, |chunk| {
            chunk.string("approvalId", Some(id));
            chunk.string("toolCallId", Some(&call));
            chunk.value("approvalDescriptor", more.as_ref());
            chunk.string("reason", text.or(reason));
        });
        self.questions.push(id, call);
    }

    /// Writes a whole part.
    fn whole(&mut self, at: u64, payload: Payload<'_>, preview: bool, out: &mut WireOutput<'_>) {
        if let Payload::Data(value) = payload {
            let replaces = self.previews.remove(at).is_some();
            if preview {
                self.previews.insert(at, ());
            }
            let id = (preview || replaces).then(|| ["data_", &decimal(at as i64)].concat());
            return self.data(PROVIDER, id.as_deref(), value, out);
        }
        if preview {
            return out.lose("preview", "", "a file cannot be replaced");
        }
        let Some((url, media_type)) = media::located(payload) else {
            return out.lose(payload.name(), "", "files of the AI SDK have a URL or their bytes");
        };
        if let Payload::File { name: Some(name), .. } = payload {
            out.lose("file", name, "files in streams have no name");
        }
        self.content(out);
        let state = self.states.take_part(at);
        chunk("file", out, |chunk| {
            chunk.string("url", Some(&url));
            chunk.string("mediaType", Some(&media_type));
            chunk.value("providerMetadata", state.as_ref());
        });
    }

    fn data(&mut self, name: &str, id: Option<&str>, value: &Value, out: &mut WireOutput<'_>) {
        self.content(out);
        let value = clean(value.clone(), name, out);
        chunk(&["data-", name].concat(), out, |chunk| {
            chunk.string("id", id);
            chunk.value("data", Some(&value));
        });
    }

    fn note(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        match *note {
            Note::Usage { usage, message: None } => self.usage = usage.clone(),
            Note::Usage { .. } => out.lose("usage", "", METADATA),
            Note::Error { code, text } => {
                let value = Value::Object(present_members([
                    ("code", code.map(Into::into)),
                    ("message", Some(text.into())),
                ]));
                self.data("error", None, &value, out);
            }
            Note::Metadata { value: value @ Value::Object(_), message: None, call: None } => {
                let value = clean(value.clone(), "", out);
                chunk("message-metadata", out, |chunk| {
                    chunk.value("messageMetadata", Some(&value))
                });
            }
            Note::Metadata { message: Some(message), call: None, .. } => {
                out.lose("metadata", out.place(message), METADATA);
            }
            Note::Metadata { call, .. } => out.lose("metadata", call.unwrap_or(""), METADATA),
            Note::Replace { text, call: Some(id), .. } => {
                let id = self.call_ids.of(id, out).to_owned();
                match self.calls.get_mut(&id).filter(|call| !call.ended) {
                    Some(call) => call.input = text.to_owned(),
                    None => out.lose("arguments-replaced", &id, "the input was complete"),
                }
            }
            Note::Annotation { annotation, .. } => self.write_source(annotation, out),
            Note::Opaque { .. } => self.opaque(note, out),
            Note::ToolError { id, cause, text } => self.tool_error(id, cause, text, out),
            Note::Activity { id, activity_type, content, .. } => {
                self.data(activity_type, Some(id), content, out)
            }
            Note::ActivityPatch { id, .. } => {
                out.lose("activity", id, "data parts are replaced, not patched")
            }
            Note::Progress { id, status, data } => {
                let value = present_members([
                    ("toolCallId", Some(id.into())),
                    ("status", Some(status.into())),
                    ("data", data.cloned()),
                ]);
                self.data("progress", Some(id), &Value::Object(value), out);
            }
            Note::Output { id, piece, .. } => self.output(id, piece, out),
            // A stretch of reasoning is its parts.
            Note::StepStart { name: Some(name), kind: Some("reasoning"), .. } => {
                out.lose("step", name, "reasoning of the AI SDK has no title");
            }
            Note::StepStart { kind: Some("reasoning"), .. }
            | Note::StepEnd { kind: Some("reasoning"), .. } => {}
            Note::StepStart { name, .. } => {
                if let Some(name) = name {
                    out.lose("step", name, "steps of the AI SDK have no names");
                }
                self.step(out);
            }
            Note::StepEnd { .. } => self.step(out),
            Note::Custom { name, value } => self.data(name, None, value, out),
            _ => {}
        }
    }

    /// Writes all of the output of a running tool so far, which the next one replaces.
    fn output(&mut self, id: &str, piece: &str, out: &mut WireOutput<'_>) {
        let id = self.call_ids.of(id, out).to_owned();
        let Some(call) = self.calls.get_mut(&id) else { return };
        call.output.push_str(piece);
        if !out.may_repeat(call.output.len() as u64) {
            return out.lose("output", &id, "each piece would repeat all of the output before it");
        }
        let output = call.output.clone();
        self.result(&id, &output, true, out);
    }

    /// Writes a source.
    fn write_source(&mut self, annotation: &Value, out: &mut WireOutput<'_>) {
        let text = |name: &str| annotation.text(name);
        let nested = annotation.get("url_citation").unwrap_or(annotation);
        let id = text("file_id").map_or_else(|| self.next_id("source_"), ToOwned::to_owned);
        if let Some(url) = nested.text("url") {
            self.content(out);
            return chunk("source-url", out, |chunk| {
                chunk.string("sourceId", Some(&id));
                chunk.string("url", Some(url));
                chunk.string("title", nested.text("title"));
            });
        }
        let Some(title) = text("title").or(text("filename")).or(text("document_title")) else {
            let place = text("type").unwrap_or("");
            return out.lose("annotation", place, "sources of the AI SDK have a URL or a title");
        };
        self.content(out);
        chunk("source-document", out, |chunk| {
            chunk.string("sourceId", Some(&id));
            chunk.string("mediaType", Some(text("media_type").unwrap_or("text/plain")));
            chunk.string("title", Some(title));
            chunk.string("filename", text("filename"));
        });
    }

    fn end(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        self.states.end(out);
        self.end_step(out);
        let error_text = end.error.as_ref().map(|error| match &error.code {
            Some(code) => [code, ": ", &error.message].concat(),
            None => error.message.clone(),
        });
        let reason = end.reason.as_deref().unwrap_or_default();
        let is_lost = matches!(end.status, EndStatus::Rejected) || end.is_cut_off();
        if is_lost {
            out.lose(
                "status",
                end.status.as_str(),
                "the AI SDK has no such status: it became an error",
            );
        }
        let failed =
            |otherwise: &str| ("error", Some(error_text.unwrap_or_else(|| otherwise.into())));
        let (finish, error) = match end.status {
            EndStatus::Canceled => ("", None),
            EndStatus::Failed => failed("The run failed."),
            EndStatus::Rejected => failed("The run was rejected."),
            EndStatus::Incomplete if end.is_cut_off() => {
                ("error", Some("The run was cut off.".into()))
            }
            EndStatus::Completed if self.has_refusal => ("content-filter", None),
            EndStatus::Completed if self.waiting > 0 && reason != STOP => ("tool-calls", None),
            EndStatus::Completed => (STOP, None),
            EndStatus::Incomplete if self.waiting > 0 && end.waits() => ("tool-calls", None),
            EndStatus::Incomplete => match reason {
                "length" | "max_tokens" | "max_output_tokens" => ("length", None),
                "content_filter" | "content-filter" | "refusal" | "safety" => {
                    ("content-filter", None)
                }
                _ => {
                    out.lose(
                        "status",
                        reason,
                        "the reason of a run that is incomplete became `other`",
                    );
                    ("other", None)
                }
            },
        };
        if let Some(error) = &error {
            chunk("error", out, |chunk| chunk.string("errorText", Some(error)));
        }
        let used = end.usage.as_ref().unwrap_or(&self.usage);
        let metadata = present_members([
            ("usage", (!used.is_null()).then(|| usage::from_hub(used))),
            ("runResult", end.result.clone()),
        ]);
        let metadata = (!metadata.is_empty()).then(|| clean(Value::Object(metadata), "", out));
        if finish.is_empty() {
            if metadata.is_some() {
                chunk("message-metadata", out, |chunk| {
                    chunk.value("messageMetadata", metadata.as_ref())
                });
            }
            chunk("abort", out, |chunk| chunk.string("reason", end.reason.as_deref()));
        } else {
            chunk("finish", out, |chunk| {
                chunk.string("finishReason", Some(finish));
                chunk.value("messageMetadata", metadata.as_ref());
            });
        }
        out.emit(Event::Done.to_wire());
    }

    /// Marks a call that does not wait for the client any more. Returns whether it is executed
    /// elsewhere and dynamic.
    fn resume_call(&mut self, id: &str) -> Option<(bool, bool)> {
        let call = self.calls.get_mut(id)?;
        self.waiting -= usize::from(core::mem::take(&mut call.waits));
        Some((call.executed, call.dynamic))
    }
}

/// Writes a chunk.
fn chunk(name: &str, out: &mut WireOutput<'_>, write: impl FnOnce(&mut ObjectWriter<'_>)) {
    out.emit(WireEvent::written(128, None, |frame| {
        let mut chunk = ObjectWriter::open(frame, true);
        chunk.string("type", Some(name));
        write(&mut chunk);
        chunk.close();
    }));
}

fn flags(executed: bool, dynamic: bool, chunk: &mut ObjectWriter<'_>) {
    chunk.bool("providerExecuted", executed.then_some(true));
    chunk.bool("dynamic", dynamic.then_some(true));
}

fn input_error(id: &str, call: &WrittenCall, input: &str, error: &str, out: &mut WireOutput<'_>) {
    chunk("tool-input-error", out, |chunk| {
        chunk.string("toolCallId", Some(id));
        chunk.string("toolName", Some(&call.name));
        chunk.string("input", Some(input));
        chunk.string("errorText", Some(error));
        flags(call.executed, call.dynamic, chunk);
    });
}

/// Returns metadata of a part for which the protocol has no property.
fn own_metadata(key: &str, value: &str) -> Value {
    Value::from([(PROVIDER, Value::from([(key, value.into())]))])
}

/// Returns the object or the list of a text. A number or a word may be any text, so they are not
/// parsed.
fn parsed(text: &str) -> Option<Value> {
    let is_json = text.trim_ascii_start().starts_with(['{', '[']);
    if is_json { Value::parse(text, depth()).ok() } else { None }
}

/// The depth of JSON in a chunk.
fn depth() -> u32 {
    Limits::default().json_depth - 1
}

/// Returns JSON without the keys at which clients stop. (V2.)
fn clean(mut value: Value, place: &str, out: &mut WireOutput<'_>) -> Value {
    fn refuses(member: &Member) -> bool {
        member.key == "__proto__"
            || member.key == "constructor" && member.value.get("prototype").is_some()
    }
    fn remove(value: &mut Value) -> bool {
        match value {
            Value::Array(items) => {
                items.iter_mut().fold(false, |removed, item| remove(item) | removed)
            }
            Value::Object(members) => {
                let before = members.len();
                members.retain(|member| !refuses(member));
                let removed = members.len() < before;
                members
                    .iter_mut()
                    .fold(removed, |removed, member| remove(&mut member.value) | removed)
            }
            _ => false,
        }
    }
    if remove(&mut value) {
        out.lose(
            "forbidden-key",
            place,
            "clients stop at a key that leads to a prototype: it is left out",
        );
    }
    value
}

impl FromHub for ToAiSdk {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        self.losses.check(UNSUPPORTED, step, out);
        if !out.meta().metadata.is_empty() {
            out.lose("metadata", "", METADATA);
        }
        let (text, reasoning) = ("text", "reasoning");
        match *step {
            Step::Text { message, part, piece } => {
                return self.piece((message, part), text, false, piece, out);
            }
            Step::Refusal { message, part, piece } => {
                return self.piece((message, part), text, true, piece, out);
            }
            Step::Reasoning { message, part, piece, .. } => {
                return self.piece((message, part), reasoning, false, piece, out);
            }
            Step::Heartbeat => return,
            Step::Note(Note::Opaque { .. }) => self.last = None,
            _ => {
                self.last = None;
                self.end_text(out);
            }
        }
        match *step {
            Step::Start { .. } => self.start(step, out),
            Step::Call { .. } => self.call(step, out),
            Step::Arguments { message, part, piece } => {
                self.arguments(pair(message, part), piece, out)
            }
            Step::Result { id, output, preview, more, .. } => {
                if !more.is_empty() {
                    out.lose("call-members", id, CALL_MEMBERS);
                }
                self.result(id, output, preview, out);
            }
            Step::Interrupt { .. } => self.ask(step, out),
            Step::Answer { id, approved, .. } => {
                for call in self.questions.take(id) {
                    if approved == Some(true) {
                        self.resume_call(&call);
                    } else {
                        self.tool_error(&call, Some("denied"), "", out);
                    }
                }
            }
            Step::Whole { message, part, payload, preview } => {
                self.whole(pair(message, part), payload, preview, out);
            }
            Step::Media { message, part, kind, piece, media_type } => {
                self.media.add(pair(message, part), kind, piece, media_type);
            }
            Step::EndPart { message, part, whole } => {
                self.end_part(pair(message, part), message, whole, out)
            }
            Step::Close { end, .. } => {
                if end.metadata.is_some() {
                    out.lose("metadata", "", METADATA);
                }
                if end.usage.is_some() {
                    out.lose("usage", "", METADATA);
                }
            }
            Step::Note(ref note) => self.note(note, out),
            Step::End(end) => self.end(end, out),
            _ => {}
        }
    }
}
