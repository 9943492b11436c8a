//! Questions and their answers, approvals and denials. Both directions approve only if the answer approves clearly.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::loss::Losses;
use crate::bytes::string_map::StringMap;
use crate::core::limits::Limits;
pub(crate) use crate::core::request::decision::decision;
use crate::json::Value;

/// The answer to a question, as a request has it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Approval<'a> {
    /// The id of the interrupt that is answered. Without an id, no interrupt is answered.
    pub id: Option<&'a str>,
    /// The decision, if the answer is yes or no.
    pub approved: Option<bool>,
    /// The reason for the decision.
    pub reason: Option<Value>,
    /// The answer as the source has it: any JSON.
    pub payload: Option<Value>,
}

impl<'a> Approval<'a> {
    /// Creates an answer from any JSON. A payload that does not clearly approve declines.
    pub fn of(id: &'a str, payload: Value, losses: &mut Losses) -> Self {
        let approved = decision(&payload).unwrap_or_else(|| {
            let reason =
                "the answer neither approves nor declines, or contradicts itself: it became a denial";
            losses.note("approval-not-understood", &payload.to_json(), reason);
            false
        });
        let reason = payload.get("reason").cloned();
        Approval { id: Some(id), approved: Some(approved), reason, payload: Some(payload) }
    }

    /// Returns the answer as any JSON: the source's own, or `{"approve":…,"reason":…}`. Returns a payload that
    /// approves only if `approved` is true.
    pub fn into_payload(self, losses: &mut Losses) -> Value {
        let Approval { id, approved, reason, payload } = self;
        let has_payload = payload.is_some();
        let agrees = |payload: &Value| approved == Some(true) || decision(payload) != Some(true);
        if let Some(payload) = payload.filter(agrees) {
            return payload;
        }
        if approved.is_none() || has_payload {
            let reason = "the answer does not approve: it became a denial";
            losses.note("approval-not-understood", id.unwrap_or(""), reason);
        }
        [("approve", approved.unwrap_or(false).into()), ("reason", reason.unwrap_or_default())].into()
    }
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
