//! Questions and their answers, approvals and denials. Both directions approve only if the answer approves clearly.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
use crate::core::limits::Limits;
pub(crate) use crate::core::request::decision::decision;
use crate::json::{Object, Value};

/// Returns the payload of an answer as JSON: that of the client, unless it approves and the answer does not.
pub(crate) fn answer_payload(approved: Option<bool>, reason: Option<&str>, payload: &Value) -> String {
    if !payload.is_null() && !is_denied(approved, payload) {
        return payload.to_json();
    }
    let mut out = String::new();
    let mut answer = Object::open(&mut out, true);
    answer.bool("approved", Some(approved == Some(true)));
    answer.string("reason", reason);
    answer.close();
    out
}

/// Whether the payload of an answer approves, and the answer does not.
pub(crate) fn is_denied(approved: Option<bool>, payload: &Value) -> bool {
    approved != Some(true) && decision(payload) == Some(true)
}

/// Returns a question as the call of a tool that has to be approved: the tool, its arguments' JSON text, its server. A
/// default is used for the name or server if the payload lacks it. A payload without `arguments` is itself the
/// arguments.
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

/// The default tool and server of a question that does not name them.
const MADE_UP: (&str, &str) = ("interrupt", "agent");

/// Returns the payload of a question whose tool and server are the defaults, `None` for any other question.
pub(crate) fn question_payload(question: &Value) -> Option<Value> {
    let text = |name: &str| question.text(name);
    let is_made_up = (text("name"), text("server_label")) == (Some(MADE_UP.0), Some(MADE_UP.1));
    match text("arguments").filter(|_| is_made_up)? {
        "{}" => Some(Value::Null),
        arguments => Value::parse(arguments, Limits::default().json_depth).ok(),
    }
}

/// The questions that wait for an answer, in the order in which they were asked. Several may have the same id.
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
