//! Writes requests.

use alloc::string::String;
use alloc::vec::Vec;

use super::{SETTINGS, STEP, tools};
use crate::core::id::IdSource;
use crate::hub::conversation::members::{
    ListWriter, into_list, is_json_object, put, put_some, write_members,
};
use crate::hub::conversation::{
    CallInput, Content, Conversation, Media, MediaForm, MediaSource, Opaque, Part, RunBy,
    SettingKey, ToolChoice, ToolResult, Turn, TurnRole,
};
use crate::json::{Member, ObjectWriter, Raw, Value, write_string};

/// Writes a request.
pub(super) fn request(conversation: &Conversation, _: &mut dyn IdSource) -> String {
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let front = conversation.turns.iter().take_while(|turn| turn.is_instruction()).count();
    let (instructions, turns) = conversation.turns.split_at(front);
    let head = head(conversation);
    if let Some(model) = head.get("model") {
        request.value("model", Some(model));
    }
    let instructions: Vec<&str> =
        instructions.iter().flat_map(|turn| &turn.parts).filter_map(Part::as_text).collect();
    if !instructions.is_empty() {
        request.string("system_instruction", Some(&instructions.join("\n\n")));
    }
    // A request that only continues another one has no input.
    let is_continued = turns.is_empty() && head.get("continuation_token").is_some();
    if !is_continued {
        let mut steps = StepWriter::open(request.member("input"));
        turns.iter().for_each(|turn| steps.turn(turn));
        steps.close();
    }
    tools::write_all(&conversation.tools, &mut request);
    let others = head.members().iter().filter(|member| member.key != "model");
    others.for_each(|member| request.value(&member.key, Some(&member.value)));
    request.close();
    out
}

/// Returns the members of a request that are not steps or tools.
fn head(conversation: &Conversation) -> Value {
    let mut head = Value::Object(conversation.more.clone());
    let settings = &conversation.settings;
    settings.write(&mut head, SETTINGS);
    if let Some(stop) = settings.get(SettingKey::Stop) {
        let list = Value::Array(into_list(stop.clone()));
        put(&mut head, "generation_config.stop_sequences", list);
    }
    // There are only two forms of summaries.
    if let Some(summary) = settings.text(SettingKey::Summary) {
        let summary = if summary == "none" { "none" } else { "auto" };
        put(&mut head, "generation_config.thinking_summaries", summary);
    }
    if let Some(output) = &settings.output {
        put(&mut head, "response_format.type", "text");
        put(&mut head, "response_format.mime_type", "application/json");
        put_some(&mut head, "response_format.schema", output.schema.clone());
    }
    const CHOICE: &str = "generation_config.tool_choice";
    let (mode, names) = match &settings.choice {
        None => return head,
        Some(ToolChoice::Auto) => ("auto", None),
        Some(ToolChoice::None) => ("none", None),
        Some(ToolChoice::Required) => ("any", None),
        Some(ToolChoice::Named(name)) => ("any", Some(core::slice::from_ref(name))),
        Some(ToolChoice::Allowed { required: true, names }) => ("any", Some(names.as_slice())),
        Some(ToolChoice::Allowed { required: false, names }) => {
            ("validated", Some(names.as_slice()))
        }
    };
    match names {
        None => put(&mut head, CHOICE, mode),
        Some(names) => {
            let names = names.iter().map(|name| name.as_str().into()).collect();
            let allowed = Value::from([("mode", mode.into()), ("tools", Value::Array(names))]);
            put(&mut head, CHOICE, Value::from([("allowed_tools", allowed)]));
        }
    }
    head
}

/// The steps that are being written. Contents of one turn that follow each other are one step.
struct StepWriter<'o> {
    list: ListWriter<'o>,
    /// The type of the step whose contents are being written.
    open: Option<&'static str>,
    /// The members of that step besides its contents.
    more: Vec<Member>,
    is_empty: bool,
}

impl<'o> StepWriter<'o> {
    fn open(out: &'o mut String) -> Self {
        StepWriter { list: ListWriter::open(out), open: None, more: Vec::new(), is_empty: true }
    }

    /// Returns the text to which the next content of a step of that type is appended.
    fn content(&mut self, kind: &'static str, part: &Part) -> &mut String {
        let more = part.own_members_in(STEP);
        if self.open != Some(kind) || !more.is_empty() {
            let out = self.step();
            out.push_str("{\"type\":\"");
            out.push_str(kind);
            out.push_str("\",\"content\":[");
            (self.open, self.is_empty) = (Some(kind), true);
            self.more = more.to_vec();
        }
        let is_first = core::mem::replace(&mut self.is_empty, false);
        let out = self.list.current();
        if !is_first {
            out.push(',');
        }
        out
    }

    /// Returns the text to which the next step is appended.
    fn step(&mut self) -> &mut String {
        self.end();
        self.list.item()
    }

    /// Ends the step with contents.
    fn end(&mut self) {
        if self.open.take().is_none() {
            return;
        }
        let out = self.list.current();
        out.push(']');
        for member in core::mem::take(&mut self.more) {
            out.push(',');
            write_string(&member.key, out);
            out.push(':');
            member.value.write(out);
        }
        out.push('}');
    }

    fn close(mut self) {
        self.end();
        self.list.close();
    }

    fn turn(&mut self, turn: &Turn) {
        let kind = if turn.role == TurnRole::Assistant { "model_output" } else { "user_input" };
        // The results of the calls before are first.
        for part in &turn.parts {
            if let Content::Result(result) = &part.content {
                write_result(None, result, self.step());
            }
        }
        for part in &turn.parts {
            self.part(kind, part);
        }
        for call in turn.calls() {
            if let Some(result) = call.result.as_ref().filter(|_| call.by != RunBy::Provider) {
                write_result(Some(&call.name), result, self.step());
            }
        }
        // Neighboring turns of the assistant are read as one.
        if turn.role != TurnRole::Assistant {
            self.end();
        }
    }

    fn part(&mut self, kind: &'static str, part: &Part) {
        match &part.content {
            // Of the user, steps of unknown types are not read: these are contents.
            _ if part.is_own_block() && (kind == "user_input" || is_content_block(part)) => {
                let mut block = ObjectWriter::open(self.content(kind, part), true);
                part.write_opaque_except(&[STEP], &mut block);
                block.close();
            }
            _ if part.is_own_block() => {
                let mut step = ObjectWriter::open(self.step(), true);
                part.write_opaque(&mut step);
                step.close();
                let result = part.as_call().and_then(|call| call.result.as_ref());
                if let Some(opaque) = result.and_then(|result| result.opaque.as_ref()) {
                    self.outcome(opaque);
                }
            }
            Content::Text(_) | Content::Refusal(_) | Content::Media(_) => {
                write_content(part, self.content(kind, part));
            }
            Content::Reasoning { text, .. } => {
                let mut step = ObjectWriter::open(self.step(), true);
                step.string("type", Some("thought"));
                if !part.own_members().iter().any(|member| member.key == "summary") {
                    let summary =
                        Value::from([("type", "text".into()), ("text", text.as_str().into())]);
                    step.value("summary", Some(&Value::Array([summary].into())));
                }
                part.write_opaque_except(&["type"], &mut step);
                step.close();
            }
            Content::Call(call) => {
                let mut step = ObjectWriter::open(self.step(), true);
                step.string("type", Some("function_call"));
                step.string("id", Some(&call.id));
                step.string("name", Some(&call.name));
                write_arguments(&call.input, &mut step);
                part.write_opaque_except(&["type", "id", "name", "arguments"], &mut step);
                step.close();
            }
            // The members of a step without contents.
            Content::Native if !part.own_members_in(STEP).is_empty() => {
                self.content(kind, part);
            }
            Content::Native
            | Content::Result(_)
            | Content::Question { .. }
            | Content::Answer { .. }
            | Content::Tools(_)
            | Content::Data(_) => {}
        }
    }

    /// Writes the step with the result of a tool of the server.
    fn outcome(&mut self, opaque: &Opaque) {
        let mut step = ObjectWriter::open(self.step(), true);
        write_members(&opaque.members, &mut step);
        step.close();
    }
}

/// Whether the opaque members of a part are a content, and not a step: no step has such a type.
fn is_content_block(part: &Part) -> bool {
    matches!(part.content, Content::Media(_) | Content::Text(_))
}

fn write_content(part: &Part, out: &mut String) {
    let mut block = ObjectWriter::open(out, true);
    match &part.content {
        Content::Media(media) => write_media(media, &mut block),
        Content::Refusal(text) => {
            block.string("type", Some("text"));
            block.string("text", Some(text));
        }
        _ => {
            block.string("type", Some("text"));
            block.string("text", part.as_text());
        }
    }
    part.write_opaque_except(&["type", "text", "data", "uri", "mime_type", STEP], &mut block);
    block.close();
}

fn write_media(media: &Media, block: &mut ObjectWriter<'_>) {
    block.string(
        "type",
        Some(match media.kind {
            MediaForm::Image => "image",
            MediaForm::Audio => "audio",
            MediaForm::Video => "video",
            MediaForm::File => "document",
        }),
    );
    match &media.source {
        MediaSource::Base64(data) => {
            block.string("data", Some(data));
            block.string("mime_type", Some(media.type_or_usual()));
        }
        MediaSource::Url(uri) | MediaSource::File { id: uri, .. } | MediaSource::Text(uri) => {
            block.string("uri", Some(uri));
            block.string("mime_type", media.media_type.as_deref());
        }
    }
}

/// Writes the arguments of a call: an object.
fn write_arguments(input: &CallInput, step: &mut ObjectWriter<'_>) {
    match input {
        CallInput::Json(json) if is_json_object(json) => {
            step.raw("arguments", Some(Raw(json.trim())));
        }
        CallInput::Json(text) | CallInput::Text(text) => {
            let mut arguments = ObjectWriter::open(step.member("arguments"), true);
            arguments
                .string("input", Some(text).filter(|text| !text.is_empty()).map(String::as_str));
            arguments.close();
        }
    }
}

/// Writes the result of a function.
fn write_result(name: Option<&str>, result: &ToolResult, out: &mut String) {
    let mut step = ObjectWriter::open(out, true);
    step.string("type", Some("function_result"));
    step.string("call_id", Some(&result.call));
    step.string("name", name.filter(|name| !name.is_empty()));
    let own = result.opaque.as_ref().map_or(&[][..], |own| &own.members);
    if !own.iter().any(|member| member.key == "result") {
        let told = result.parts.iter().filter(|part| is_told(part));
        let told: Vec<&Part> = told.collect();
        match told.as_slice() {
            [] => step.string("result", Some("")),
            [only] if only.as_text().is_some() && only.opaque.is_none() => {
                step.string("result", only.as_text());
            }
            _ => {
                let mut list = ListWriter::open(step.member("result"));
                told.into_iter().for_each(|part| write_content(part, list.item()));
                list.close();
            }
        }
    }
    step.bool("is_error", result.error.then_some(true));
    write_members(own, &mut step);
    step.close();
}

fn is_told(part: &Part) -> bool {
    matches!(part.content, Content::Text(_) | Content::Media(_))
}
