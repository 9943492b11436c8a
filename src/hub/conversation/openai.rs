//! What the requests of OpenAI's two APIs have in common.
//!
//! Their objects have the same members. Chat Completions has those of a type in an object with its
//! name, next to the type; Responses has them next to the type.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::members::{
    gathered, media_source, rest, take, take_bool, take_string, take_text, write_members,
};
use super::{Function, Media, MediaForm, MediaSource, Output, Tool, ToolChoice};
use crate::json::{Member, ObjectWriter, Value, write_list, write_string};

/// The provider whose file ids both have.
pub(crate) const PROVIDER: &str = "openai";

/// The media types of images that both take.
pub(crate) const IMAGE_TYPES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The media types of sounds that both take.
pub(crate) const AUDIO_TYPES: &[&str] =
    &["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/mpeg", "audio/mp3"];

/// Where an object has the members of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolNesting {
    /// In an object with the name of the type.
    Nested,
    /// Next to the type.
    Flat,
}

impl ToolNesting {
    /// Writes `{"type":"<kind>"}` with the members that `write` adds.
    pub(crate) fn write(
        self,
        kind: &str,
        out: &mut String,
        write: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        self.write_typed(kind, out, write, |_| ());
    }

    /// Writes an object as [`write`](Self::write), with members next to those of its type.
    pub(crate) fn write_typed(
        self,
        kind: &str,
        out: &mut String,
        write: impl FnOnce(&mut ObjectWriter<'_>),
        more: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        let mut object = ObjectWriter::open(out, true);
        object.string("type", Some(kind));
        self.write_in(kind, &mut object, write);
        more(&mut object);
        object.close();
    }

    /// Writes the members of a type into an object that has its type already.
    pub(crate) fn write_in(
        self,
        kind: &str,
        object: &mut ObjectWriter<'_>,
        write: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        match self {
            ToolNesting::Flat => write(object),
            ToolNesting::Nested => {
                let mut inner = ObjectWriter::open(object.member(kind), true);
                write(&mut inner);
                inner.close();
            }
        }
    }
}

/// Reads the choice of a tool, in either shape.
///
/// # Errors
///
/// The choice itself, if it is of a kind that only the provider has.
pub(crate) fn read_choice(choice: Value) -> Result<ToolChoice, Value> {
    match choice.as_str() {
        Some("auto") => return Ok(ToolChoice::Auto),
        Some("none") => return Ok(ToolChoice::None),
        Some("required" | "any") => return Ok(ToolChoice::Required),
        _ => {}
    }
    let known = match choice.text("type") {
        Some("allowed_tools") => {
            let allowed = choice.get("allowed_tools").unwrap_or(&choice);
            let required = allowed.text("mode") == Some("required");
            match allowed.get("tools") {
                Some(Value::Array(tools)) => tools.iter().map(chosen).collect::<Option<_>>(),
                _ => None,
            }
            .map(|names| ToolChoice::Allowed { required, names })
        }
        _ => chosen(&choice).map(ToolChoice::Named),
    };
    known.ok_or(choice)
}

/// Returns the name of a function or custom tool that a choice names.
fn chosen(tool: &Value) -> Option<String> {
    let kind = tool.text("type").filter(|kind| matches!(*kind, "function" | "custom"))?;
    tool.get(kind).unwrap_or(tool).text("name").map(String::from)
}

/// Writes the choice of a tool. `tools` are those that are offered.
pub(crate) fn write_choice(
    choice: &ToolChoice,
    tools: &[Tool],
    shape: ToolNesting,
    out: &mut String,
) {
    let custom = tools.iter().filter_map(|tool| match tool {
        Tool::Custom { name, .. } => Some(name),
        _ => None,
    });
    let custom: BTreeSet<&String> = gathered(custom);
    let write_tool = |name: &String, out: &mut String| {
        let kind = if custom.contains(name) { "custom" } else { "function" };
        shape.write(kind, out, |tool| tool.string("name", Some(name)));
    };
    match choice {
        ToolChoice::Auto => write_string("auto", out),
        ToolChoice::None => write_string("none", out),
        ToolChoice::Required => write_string("required", out),
        ToolChoice::Named(name) => write_tool(name, out),
        ToolChoice::Allowed { required, names } => shape.write("allowed_tools", out, |allowed| {
            allowed.string("mode", Some(if *required { "required" } else { "auto" }));
            write_list(names, allowed.member("tools"), write_tool);
        }),
    }
}

/// Reads the format of the answer, in either shape. `None` is text.
///
/// # Errors
///
/// The format itself, if only the provider has it.
pub(crate) fn read_output(mut format: Value) -> Result<Option<Output>, Value> {
    match format.text("type") {
        Some("text") => Ok(None),
        Some("json_object") => Ok(Some(Output::default())),
        Some("json_schema") => {
            let mut described = take(&mut format, "json_schema").unwrap_or(format);
            Ok(Some(Output {
                name: take_text(&mut described, "name"),
                description: take_text(&mut described, "description"),
                schema: take(&mut described, "schema"),
                strict: take_bool(&mut described, "strict"),
            }))
        }
        _ => Err(format),
    }
}

/// Writes the format of the answer.
pub(crate) fn write_output(output: &Output, shape: ToolNesting, out: &mut String) {
    let Some(schema) = &output.schema else {
        return ToolNesting::Flat.write("json_object", out, |_| ());
    };
    shape.write("json_schema", out, |described| {
        // The APIs require a name.
        described.string("name", Some(output.name.as_deref().unwrap_or("answer")));
        described.string("description", output.description.as_deref());
        described.value("schema", Some(schema));
        described.bool("strict", output.strict);
    });
}

/// Reads the members of a function that is offered.
pub(crate) fn read_function(mut described: Value, format: &'static str) -> Function {
    Function {
        name: take_string(&mut described, "name"),
        description: take_text(&mut described, "description"),
        schema: take(&mut described, "parameters"),
        strict: take_bool(&mut described, "strict"),
        cache: take(&mut described, "cache_control"),
        more: rest(described),
        format: format.into(),
    }
}

/// Writes the members of a function that is offered.
pub(crate) fn write_function(function: &Function, described: &mut ObjectWriter<'_>) {
    described.string("name", Some(&function.name));
    described.string("description", function.description.as_deref());
    described.value("parameters", function.schema.as_ref());
    described.bool("strict", function.strict);
    write_members(&function.more, described);
}

/// Reads the members of a custom tool that is offered.
pub(crate) fn read_custom(mut described: Value) -> Tool {
    let format = take(&mut described, "format").map(|mut format| {
        for Member { key, value } in take(&mut format, "grammar").map(rest).unwrap_or_default() {
            format.insert(&key, value);
        }
        format
    });
    let (name, description) =
        (take_string(&mut described, "name"), take_text(&mut described, "description"));
    Tool::Custom { name, description, format }
}

/// Writes the members of a custom tool that is offered.
pub(crate) fn write_custom(
    name: &str,
    description: Option<&str>,
    format: Option<&Value>,
    shape: ToolNesting,
    described: &mut ObjectWriter<'_>,
) {
    described.string("name", Some(name));
    described.string("description", description);
    match format {
        Some(Value::Object(members)) if shape == ToolNesting::Nested => {
            let mut written = ObjectWriter::open(described.member("format"), true);
            let (kind, grammar): (Vec<_>, Vec<_>) =
                members.iter().partition(|member| member.key == "type");
            kind.into_iter().for_each(|member| written.value(&member.key, Some(&member.value)));
            if !grammar.is_empty() {
                let mut inner = ObjectWriter::open(written.member("grammar"), true);
                grammar
                    .into_iter()
                    .for_each(|member| inner.value(&member.key, Some(&member.value)));
                inner.close();
            }
            written.close();
        }
        format => described.value("format", format),
    }
}

/// Returns what a tool of the provider does, if other providers have such a tool.
pub(crate) fn purpose(kind: &str) -> Option<&'static str> {
    match kind {
        "code_interpreter" => Some("code"),
        "mcp" => Some("mcp"),
        _ if kind.starts_with("web_search") => Some("search"),
        _ => None,
    }
}

/// Takes the members of a sound: `data` and `format`.
pub(crate) fn read_audio(audio: &mut Value) -> Media {
    let (source, media_type) = media_source(take_string(audio, "data"));
    let format = take_text(audio, "format").map(|format| match &*format {
        "mp3" => "audio/mpeg".into(),
        format => ["audio/", format].concat(),
    });
    Media { media_type: media_type.or(format), ..Media::new(MediaForm::Audio, source) }
}

/// Writes the members of a sound.
pub(crate) fn write_audio(media: &Media, audio: &mut ObjectWriter<'_>) {
    if let MediaSource::Base64(data) = &media.source {
        audio.string("data", Some(data));
    }
    let format = match media.type_or_usual().rsplit('/').next().unwrap_or_default() {
        "mpeg" => "mp3",
        "x-wav" | "wave" | "vnd.wave" => "wav",
        format => format,
    };
    audio.string("format", Some(format));
}

/// Takes the members of a file: `file_id`, or `file_data` or `file_url`, and `filename`.
pub(crate) fn read_file(file: &mut Value) -> Media {
    let given = take_text(file, "file_data").or_else(|| take_text(file, "file_url"));
    let (source, media_type) = match take_text(file, "file_id") {
        Some(id) => (MediaSource::File { provider: PROVIDER.into(), id }, None),
        None => media_source(given.unwrap_or_default()),
    };
    Media { media_type, name: take_text(file, "filename"), ..Media::new(MediaForm::File, source) }
}

/// Writes the members of a file.
pub(crate) fn write_file(media: &Media, file: &mut ObjectWriter<'_>) {
    match &media.source {
        MediaSource::File { id, .. } => file.string("file_id", Some(id)),
        MediaSource::Url(url) => file.string("file_url", Some(url)),
        MediaSource::Base64(_) | MediaSource::Text(_) => {
            media.write_url(file.member("file_data"));
            // The APIs require a name.
            file.string("filename", Some(media.name.as_deref().unwrap_or(usual_name(media))));
        }
    }
}

/// Returns the name of a file that has none.
fn usual_name(media: &Media) -> &'static str {
    match media.type_or_usual() {
        "application/pdf" => "file.pdf",
        "text/plain" => "file.txt",
        "text/csv" => "file.csv",
        "text/html" => "file.html",
        "text/markdown" => "file.md",
        "application/json" => "file.json",
        _ => "file",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(json: &str) -> Value {
        Value::parse(json, 16).expect("JSON")
    }

    #[test]
    fn a_choice_is_read_in_both_shapes_and_written_in_each() {
        let custom = Tool::Custom { name: "p".into(), description: None, format: None };
        for (nested, flat) in [
            (r#""auto""#, r#""auto""#),
            (r#""none""#, r#""none""#),
            (r#""required""#, r#""required""#),
            (r#"{"type":"function","function":{"name":"f"}}"#, r#"{"type":"function","name":"f"}"#),
            (r#"{"type":"custom","custom":{"name":"p"}}"#, r#"{"type":"custom","name":"p"}"#),
            (
                r#"{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"custom","custom":{"name":"p"}}]}}"#,
                r#"{"type":"allowed_tools","mode":"auto","tools":[{"type":"custom","name":"p"}]}"#,
            ),
        ] {
            for given in [nested, flat] {
                let choice = read_choice(parsed(given)).expect(given);
                for (shape, expected) in [(ToolNesting::Nested, nested), (ToolNesting::Flat, flat)]
                {
                    let mut written = String::new();
                    write_choice(&choice, core::slice::from_ref(&custom), shape, &mut written);
                    assert_eq!(written, expected, "{given}");
                }
            }
        }
    }

    #[test]
    fn a_choice_that_only_the_provider_has_is_given_back() {
        for given in [
            r#"{"type":"web_search"}"#,
            r#"{"type":"mcp","server_label":"s"}"#,
            r#"{"type":"allowed_tools","mode":"auto","tools":[{"type":"mcp","server_label":"s"}]}"#,
            "1",
        ] {
            assert_eq!(read_choice(parsed(given)), Err(parsed(given)));
        }
    }

    #[test]
    fn a_format_is_read_in_both_shapes_and_written_in_each() {
        for (nested, flat) in [
            (r#"{"type":"json_object"}"#, r#"{"type":"json_object"}"#),
            (
                r#"{"type":"json_schema","json_schema":{"name":"n","description":"d","schema":{},"strict":true}}"#,
                r#"{"type":"json_schema","name":"n","description":"d","schema":{},"strict":true}"#,
            ),
        ] {
            for given in [nested, flat] {
                let output = read_output(parsed(given)).expect(given).expect(given);
                for (shape, expected) in [(ToolNesting::Nested, nested), (ToolNesting::Flat, flat)]
                {
                    let mut written = String::new();
                    write_output(&output, shape, &mut written);
                    assert_eq!(written, expected, "{given}");
                }
            }
        }
        assert_eq!(read_output(parsed(r#"{"type":"text"}"#)), Ok(None));
        let other = r#"{"type":"structural_tag"}"#;
        assert_eq!(read_output(parsed(other)), Err(parsed(other)));
    }

    #[test]
    fn a_grammar_is_one_level_deeper_in_chat_completions() {
        let nested = r#"{"name":"p","description":"d","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"x"}}}"#;
        let flat = r#"{"name":"p","description":"d","format":{"type":"grammar","syntax":"lark","definition":"x"}}"#;
        for given in [nested, flat] {
            let Tool::Custom { name, description, format } = read_custom(parsed(given)) else {
                panic!("a custom tool")
            };
            for (shape, expected) in [(ToolNesting::Nested, nested), (ToolNesting::Flat, flat)] {
                let mut written = String::new();
                let mut object = ObjectWriter::open(&mut written, true);
                write_custom(&name, description.as_deref(), format.as_ref(), shape, &mut object);
                object.close();
                assert_eq!(written, expected, "{given}");
            }
        }
    }

    #[test]
    fn a_file_is_read_and_written() {
        for (given, source) in [
            (
                r#"{"file_id":"file_1"}"#,
                MediaSource::File { provider: PROVIDER.into(), id: "file_1".into() },
            ),
            (r#"{"file_url":"https://a/b.pdf"}"#, MediaSource::Url("https://a/b.pdf".into())),
            (
                r#"{"file_data":"data:application/pdf;base64,JVBE","filename":"a.pdf"}"#,
                MediaSource::Base64("JVBE".into()),
            ),
        ] {
            let media = read_file(&mut parsed(given));
            assert_eq!(media.source, source);
            let mut written = String::new();
            let mut object = ObjectWriter::open(&mut written, true);
            write_file(&media, &mut object);
            object.close();
            assert_eq!(written, given);
        }
    }

    #[test]
    fn the_formats_of_sounds_are_media_types() {
        for (format, media_type) in
            [("wav", "audio/wav"), ("mp3", "audio/mpeg"), ("flac", "audio/flac")]
        {
            let given = Value::from([("data", "AAAA".into()), ("format", format.into())]);
            let media = read_audio(&mut given.clone());
            assert_eq!(media.media_type.as_deref(), Some(media_type));
            let mut written = String::new();
            let mut object = ObjectWriter::open(&mut written, true);
            write_audio(&media, &mut object);
            object.close();
            assert_eq!(parsed(&written), given);
        }
    }
}
