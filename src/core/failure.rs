//! Errors that are not in the form of the stream's protocol: of proxies, frameworks and other
//! servers.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::core::violation::shortened;
use crate::json::{Element, ObjectWriter, put, put_json};

/// An error as far as it has a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorMessage {
    /// The message for people, shortened.
    pub message: String,
    /// Its code, status or type.
    pub code: Option<String>,
    /// The JSON object with the message, if its member is `message`.
    object: Option<String>,
}

/// The longest message, in characters.
const LONGEST: usize = 4_000;

/// The deepest nesting of errors in errors.
const DEEPEST: u32 = 8;

/// The members with the message of an object that is certainly an error; those of any other object
/// without a type.
const MESSAGES: [&str; 21] = [
    "message",
    "msg",
    "detail",
    "error_message",
    "errorMessage",
    "error_msg",
    "errorText",
    "Message",
    "title",
    "error_description",
    "details",
    "description",
    "reason",
    "text",
    "content",
    "status_msg",
    "error",
    "data",
    "metadata",
    "cause",
    "body",
];
const OF_UNTYPED: usize = 9;

impl ErrorMessage {
    /// The members with a text that is the message beside an `error` that is only a code. Some
    /// protocols read the first ones.
    pub const TEXTS: [&str; 5] = ["details", "message", "msg", "error_description", "detail"];

    /// Creates an error whose message is a text, such as an error page.
    pub fn of_text(text: &str) -> Self {
        ErrorMessage { message: shortened(text.trim(), LONGEST), code: None, object: None }
    }

    /// Finds the error in JSON that is not an event of the protocol. `is_error` states that it is
    /// one.
    pub fn find(json: Element<'_, '_>, is_error: bool) -> Option<Self> {
        find(json, is_error, DEEPEST)
    }

    /// Whether an error is an object with the text `message`.
    #[cfg(any(
        feature = "a2a",
        feature = "anthropic",
        feature = "gemini",
        feature = "interactions"
    ))]
    pub fn has_message(error: Element<'_, '_>) -> bool {
        error.member("message").is_some_and(|text| text.string().is_ok_and(|text| !text.is_empty()))
    }

    /// Whether the member `error` of an event has the message, where every protocol reads it: it is
    /// an object with the text `message`, or a text beside which none of the `others` has one.
    pub fn is_in_form(json: Element<'_, '_>, others: &[&str]) -> bool {
        let Some(error) = json.member("error") else { return false };
        let is_text = |text: Element<'_, '_>| text.string().is_ok_and(|text| !text.is_empty());
        match error.member("message") {
            Some(message) => is_text(message),
            None => {
                error.string().is_ok()
                    && !others.iter().any(|name| json.member(name).is_some_and(is_text))
            }
        }
    }

    /// Returns the error as a JSON object with the text `message`: as it was received, if it has
    /// one.
    pub fn to_json(&self) -> String {
        if let Some(object) = &self.object {
            return object.clone();
        }
        let mut json = String::new();
        let mut object = ObjectWriter::open(&mut json, true);
        object.string("message", Some(&self.message));
        object.string("code", self.code.as_deref());
        object.close();
        json
    }

    /// Returns the JSON text of an event with the error as its member `error`, and other members
    /// before it.
    pub fn event(&self, members: &str) -> String {
        let mut json = String::from("{");
        put(&mut json, members);
        put(&mut json, "\"error\":");
        put_json(&mut json, &self.to_json());
        put(&mut json, "}");
        json
    }

    /// Returns the JSON text of an event with these texts as members.
    pub fn event_of(members: &[(&str, Option<&str>)]) -> String {
        let mut json = String::new();
        let mut object = ObjectWriter::open(&mut json, true);
        members.iter().for_each(|(name, text)| object.string(name, *text));
        object.close();
        json
    }
}

fn find(json: Element<'_, '_>, is_error: bool, depth: u32) -> Option<ErrorMessage> {
    let depth = depth.checked_sub(1)?;
    if let Ok(text) = json.string() {
        return (is_error && !text.is_empty()).then(|| ErrorMessage::of_text(&text.to_str()));
    }
    if json.array().is_ok() {
        return joined(json, is_error, depth);
    }
    json.object().ok()?;
    let kind = ["type", "object"].into_iter().find_map(|name| json.member(name)?.string().ok());
    let kind = kind.map(|kind| kind.to_str());
    let is_error = is_error || kind.as_deref().is_some_and(is_error_kind);
    let error = json.member("error").filter(|error| is_truthy(*error));
    // A code beside a text: the text is the message.
    let is_code = error.is_some_and(|error| error.object().is_err() && error.array().is_err());
    let has_text = is_code && !ErrorMessage::is_in_form(json, &ErrorMessage::TEXTS);
    if let Some(error) = error.filter(|_| !has_text) {
        let is_certain = is_error || kind.is_none();
        let inner = find(error, is_certain || error.member("message").is_some(), depth);
        if inner.is_some() {
            return inner;
        }
    }
    if let Some(errors) = json.member("errors")
        && let Some(found) = find(errors, true, depth)
    {
        return Some(found);
    }
    if kind.is_some() && !is_error {
        return None;
    }
    let names = if is_error || error.is_some() { &MESSAGES[..] } else { &MESSAGES[..OF_UNTYPED] };
    let found = names.iter().find_map(|name| {
        let value = json.member(name).filter(|value| !value.is_null())?;
        let is_text = value.string().is_ok() || value.array().is_ok();
        let found = find(value, is_text || is_error, depth)?;
        Some((*name, found))
    });
    let Some((name, mut found)) = found else {
        let has_more = || {
            json.members()
                .any(|(name, value)| name != "type" && name != "object" && !value.is_null())
        };
        let error = error
            .filter(|_| kind.is_none())
            .or_else(|| (is_error && has_more()).then_some(json))?;
        return Some(ErrorMessage {
            code: code_of(error),
            ..ErrorMessage::of_text(error.raw().as_str())
        });
    };
    if found.code.is_none() {
        found.code = code_of(json);
    }
    if name == "message" && found.object.is_none() && json.member(name)?.string().is_ok() {
        found.object = Some(json.raw().as_str().to_owned());
    }
    Some(found)
}

/// Returns the error of a list: the messages of all elements.
fn joined(list: Element<'_, '_>, is_error: bool, depth: u32) -> Option<ErrorMessage> {
    let mut all: Option<ErrorMessage> = None;
    for found in list.items().filter_map(|item| find(item, is_error, depth)) {
        match &mut all {
            None => all = Some(found),
            Some(all) if all.message.len() < LONGEST => {
                put(&mut all.message, "; ");
                put(&mut all.message, &found.message);
                all.object = None;
            }
            Some(_) => break,
        }
    }
    all
}

/// Returns the code of an error: a text or a number.
fn code_of(json: Element<'_, '_>) -> Option<String> {
    ["code", "status", "statusCode", "status_code", "error", "type"].into_iter().find_map(|name| {
        let value = json.member(name)?;
        let is_scalar = value.string().is_ok() || value.number().is_ok();
        let words = value.words();
        (is_scalar && !words.is_empty() && words != "error").then(|| shortened(&words, 200))
    })
}

/// Whether the type of an event is that of an error: the types of errors in APIs end with the word.
fn is_error_kind(kind: &str) -> bool {
    const WHOLE: [&str; 3] = ["error", "exception", "run_error"];
    const ENDS: [&str; 4] = ["_error", ".error", "Error", "Exception"];
    WHOLE.iter().any(|whole| kind.eq_ignore_ascii_case(whole))
        || ENDS.iter().any(|end| kind.ends_with(end))
}

/// Whether a value is truthy in JavaScript.
fn is_truthy(value: Element<'_, '_>) -> bool {
    !matches!(value.raw().as_str(), "null" | "false" | "0" | "\"\"" | "{}" | "[]")
}

/// Text of a stream that is not in its events, for the case that the stream ends without its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct StrayText {
    /// Lines of text.
    text: String,
    /// Lines that may be fields, which the standard of server-sent events ignores.
    fields: String,
    /// The first object without a known type.
    object: String,
}

impl StrayText {
    /// Adds a line of text.
    pub fn add_line(&mut self, line: &str) {
        if line.contains(|character: char| character.is_control() && character != '\t') {
            // Binary data, such as a compressed body, are no message.
            return;
        }
        let into = if is_field(line) { &mut self.fields } else { &mut self.text };
        if into.len() < LONGEST {
            if !into.is_empty() {
                into.push('\n');
            }
            put(into, &shortened(line, LONGEST));
        }
    }

    /// Adds the data of an event that are not JSON, unless they are a sign that the connection is
    /// alive.
    pub fn add_data(&mut self, data: &str) {
        const SIGNS: [&str; 10] = [
            "",
            "ping",
            "pong",
            "keepalive",
            "keep-alive",
            "heartbeat",
            "done",
            "null",
            "true",
            "false",
        ];
        let data = data.trim();
        let is_scalar =
            !data.is_empty() && data.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'.'));
        if !is_scalar
            && !SIGNS.iter().any(|sign| data.eq_ignore_ascii_case(sign))
            && !data.starts_with(['{', '[', '"'])
        {
            self.add_line(data);
        }
    }

    /// Adds an object without a known type.
    pub fn add_object(&mut self, json: &str) {
        if self.object.is_empty() {
            self.object = shortened(json, LONGEST);
        }
    }

    /// Takes the text as an error. `has_events` states whether the stream has events of its
    /// protocol.
    pub fn take(&mut self, has_events: bool) -> Option<ErrorMessage> {
        let StrayText { text, fields, object } = core::mem::take(self);
        let found = [
            Some(text),
            Some(fields).filter(|_| !has_events),
            Some(object).filter(|_| !has_events),
        ];
        let found = found.into_iter().flatten().find(|text| !text.is_empty())?;
        Some(ErrorMessage::of_text(&found))
    }
}

/// Whether a line looks like a field of server-sent events: a name in lower case before a colon.
fn is_field(line: &str) -> bool {
    let is_part = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
    };
    let name = line.split_once(':').map_or("", |(name, _)| name);
    !name.is_empty() && name.bytes().all(is_part)
}
