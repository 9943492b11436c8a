//! Questions and their answers, approvals and denials. Both directions approve only if the answer
//! approves clearly.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
use crate::core::limits::Limits;
pub(crate) use crate::core::request::decision::decision;
use crate::json::{ObjectWriter, Value};

/// Returns the payload of an answer as JSON: that of the client, unless it approves and the answer
/// does not.
pub(crate) fn answer_payload(
    approved: Option<bool>,
    reason: Option<&str>,
    payload: &Value,
) -> String {
    if !payload.is_null() && !is_denied(approved, payload) {
        return payload.to_json();
    }
    let mut out = String::new();
    let mut answer = ObjectWriter::open(&mut out, true);
    answer.bool("approved", Some(approved == Some(true)));
    answer.string("reason", reason);
    answer.close();
    out
}

/// Whether the payload of an answer approves, and the answer does not.
pub(crate) fn is_denied(approved: Option<bool>, payload: &Value) -> bool {
    approved != Some(true) && decision(payload) == Some(true)
}

/// Returns a question as the call of a tool that has to be approved: the tool, its arguments' JSON
/// text, its server. A default is used for the name or server if the payload lacks it. A payload
/// without `arguments` is itself the arguments.
pub(crate) fn question(payload: &Value) -> [String; 3] {
    let text = |name: &str| payload.text(name);
    let arguments = match payload.get("arguments").unwrap_or(payload) {
        Value::String(arguments) if text("name").is_some() => arguments.clone(),
        Value::Null => "{}".to_owned(),
        other => other.to_json(),
    };
    [
        text("name").unwrap_or(MADE_UP.0).to_owned(),
        arguments,
        text("server_label").unwrap_or(MADE_UP.1).to_owned(),
    ]
}

/// Returns a question and its text as the call of a tool, and whether the text was added to the
/// arguments. Only the arguments of a question that is not about a tool can get it: a tool's own
/// are not changed.
pub(crate) fn question_with_text(payload: &Value, text: Option<&str>) -> ([String; 3], bool) {
    let with_text =
        text.filter(|_| is_without_tool(payload)).and_then(|text| with_text(payload, text));
    (question(with_text.as_ref().unwrap_or(payload)), with_text.is_some())
}

/// Whether a payload is not a call: its default tool has the whole payload as arguments.
pub(crate) fn is_without_tool(payload: &Value) -> bool {
    payload.text("name").or(payload.text("server_label")).is_none()
        && payload.get("arguments").is_none()
}

/// The default tool and server of a question that does not name them.
pub(crate) const MADE_UP: (&str, &str) = ("interrupt", "agent");

/// Returns the payload of a question whose tool and server, if it has one, are the defaults, `None`
/// for any other question.
pub(crate) fn question_payload(question: &Value) -> Option<Value> {
    let text = |name: &str| question.text(name);
    let is_made_up = text("name") == Some(MADE_UP.0)
        && text("server_label").is_none_or(|server| server == MADE_UP.1);
    match text("arguments").filter(|_| is_made_up)? {
        "{}" => Some(Value::Null),
        arguments => Value::parse(arguments, Limits::default().json_depth).ok(),
    }
}

/// The member that has the text of a question.
pub(crate) const TEXT: &str = "text";

/// The member that has a payload beside its text.
const PAYLOAD: &str = "payload";

/// Returns the payload of a question with its text, for protocols whose clients show the payload
/// only, or `None` if the payload has this text. An object gets the member `text`, and null becomes
/// an object with it. Any other value becomes the member `payload` beside it; so does an object of
/// which [`split_text`] would not return the same object.
pub(crate) fn with_text(payload: &Value, text: &str) -> Option<Value> {
    let mut asked = match payload {
        Value::Object(members) => match (payload.get(TEXT), &members[..]) {
            (Some(own), _) if own.as_str() == Some(text) => return None,
            (None, [only]) if only.key == PAYLOAD => Value::Null,
            (None, _) => payload.clone(),
            (Some(_), _) => Value::Null,
        },
        _ => Value::Null,
    };
    let is_beside = asked.is_null() && !payload.is_null();
    asked.insert(TEXT, text.into());
    if is_beside {
        asked.insert(PAYLOAD, payload.clone());
    }
    Some(asked)
}

/// Returns the payload and the text of a question whose arguments are its payload. A text that was
/// added is given beside the arguments, and is removed from them. If none is given, the text is
/// that of the payload, which is not changed.
pub(crate) fn split_text(payload: Value, added: Option<&str>) -> (Value, Option<String>) {
    let own = payload.text(TEXT);
    if added.is_none() || own != added {
        let text = added.or(own).map(ToOwned::to_owned);
        return (payload, text);
    }
    let mut rest = payload.members_without(&[TEXT]);
    let payload = match &mut rest[..] {
        [] => Value::Null,
        [only] if only.key == PAYLOAD => core::mem::take(&mut only.value),
        _ => Value::Object(rest),
    };
    (payload, added.map(ToOwned::to_owned))
}

/// The questions that wait for an answer, in the order in which they were asked. Several may have
/// the same id.
#[derive(Debug)]
pub(crate) struct OpenQuestions<T> {
    all: Vec<Option<T>>,
    by_id: StringMap<Vec<usize>>,
}

impl<T> Default for OpenQuestions<T> {
    fn default() -> Self {
        OpenQuestions { all: Vec::new(), by_id: StringMap::default() }
    }
}

impl<T> OpenQuestions<T> {
    /// Adds a question.
    pub fn push(&mut self, id: &str, question: T) {
        self.by_id.get_or_insert_default(id).push(self.all.len());
        self.all.push(Some(question));
    }

    /// Removes and returns the questions with an id: they are answered.
    pub fn take(&mut self, id: &str) -> Vec<T> {
        let places = self.by_id.get_mut(id).map(core::mem::take).unwrap_or_default();
        places.into_iter().filter_map(|at| self.all.get_mut(at)?.take()).collect()
    }

    /// Removes and returns all questions.
    pub fn take_all(&mut self) -> Vec<T> {
        core::mem::take(self).all.into_iter().flatten().collect()
    }

    /// Whether no question waits.
    pub fn is_empty(&self) -> bool {
        self.all.iter().all(Option::is_none)
    }
}
