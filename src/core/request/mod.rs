//! Requests: declared once, read leniently, checked, and written. Does not depend on a protocol.
//!
//! A protocol declares its requests with `requests!`. The declaration becomes types
//! and the tables of [`table`], which `object` and `tagged` use for reading, writing and checking.
//! The problems of a request become [`Problem`]s, a hundred at most, with the texts of the Python
//! servers.

#[cfg_attr(
    not(any(feature = "agent-api", feature = "hub")),
    allow(dead_code, reason = "the other protocols leave decisions to the hub")
)]
pub(crate) mod decision;
mod error;
pub(crate) mod field;
pub(crate) mod object;
#[cfg(any(feature = "responses", feature = "chat"))]
pub mod openai;
mod problem;
pub(crate) mod python;
pub mod table;

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
use crate::core::error::UsageError;
use crate::core::limits::Limits;
use crate::json::Value;

pub use error::InvalidRequest;
pub use problem::Problem;

pub(crate) use error::{Diagnostics, detail, not_json, refusal};
pub(crate) use field::{FieldView, RequestValue, Typed};
pub(crate) use problem::{Fault, ProblemPathStep};

/// Reads the JSON of a request within the limits `event_bytes` and `json_depth`.
pub(crate) fn json_within(json: &str, limits: &Limits) -> Result<Value, Problem> {
    if json.len() > limits.event_bytes {
        let fault = Fault::TooLong(limits.event_bytes);
        return Err(Problem::new(vec!["body".into()], fault, &Value::Null));
    }
    decision::parse(json, limits.json_depth).map_err(|error| not_json(json, error))
}

/// The path of a request in FastAPI's errors.
pub(crate) const BODY: Option<&str> = Some("body");

/// Reads the body of a request as FastAPI does.
pub(crate) fn read_body<T: Typed>(json: &str, limits: &Limits) -> Result<T, InvalidRequest> {
    let value = json_within(json, limits).map_err(|problem| InvalidRequest::new(vec![problem]))?;
    read(value, BODY).map_err(InvalidRequest::new)
}

/// Reads a declared type; `place` is its path in error messages.
pub(crate) fn read<T: Typed>(value: Value, place: Option<&'static str>) -> Result<T, Vec<Problem>> {
    let mut request = T::blank();
    let problems = fill(&mut request, value, place);
    if problems.is_empty() { Ok(request) } else { Err(problems) }
}

/// Reads a declared type from serde.
#[cfg(feature = "serde")]
pub(crate) fn deserialize<'de, D: serde::Deserializer<'de>, T: Typed>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = serde::Deserialize::deserialize(deserializer)?;
    read(value, None).map_err(|problems| {
        let sentence =
            problems.first().map(|problem| [&*problem.path(), ": ", &problem.expected()].concat());
        serde::de::Error::custom(sentence.unwrap_or_default())
    })
}

#[cfg_attr(target_family = "wasm", inline(never))]
fn fill(request: &mut dyn RequestValue, value: Value, place: Option<&'static str>) -> Vec<Problem> {
    let mut diagnostics = Diagnostics::at(place);
    request.read(value, &mut diagnostics);
    diagnostics.into_problems()
}

/// Returns the problems for which a server would refuse a declared type.
pub(crate) fn check(request: &dyn RequestValue, place: Option<&'static str>) -> Vec<Problem> {
    let mut diagnostics = Diagnostics::at(place);
    request.check(&mut diagnostics);
    diagnostics.into_problems()
}

/// Returns a declared type as JSON; `compact` omits members that are not set.
pub(crate) fn to_json(request: &dyn RequestValue, compact: bool) -> String {
    let mut out = String::new();
    request.write(&mut out, compact);
    out
}

// Orders the results of a client's tools by the calls that wait for them.

/// Returns the answer to each pending call. `answers` are call ids with the results of the tools. A
/// missing answer, an extra answer, or an empty list of pending calls is an error. `call` is the
/// name in error messages.
pub(crate) fn answers_in_order<I: AsRef<str>, A: Into<String>>(
    pending: &[String],
    answers: impl IntoIterator<Item = (I, A)>,
    call: &str,
) -> Result<Vec<(String, String)>, UsageError> {
    let mut given: StringMap<Option<String>> = StringMap::default();
    pending.iter().for_each(|id| given.insert(id, None));
    for (id, answer) in answers {
        match given.get_mut(id.as_ref()) {
            Some(slot @ None) => *slot = Some(answer.into()),
            slot => {
                return Err(UsageError::new(
                    if slot.is_some() { "answered-twice" } else { "not-pending" },
                    [call, " was given an answer to `", id.as_ref(), "` too many"].concat(),
                    "answer each of `pending_tool_call_ids` once",
                ));
            }
        }
    }
    let mut ordered = Vec::with_capacity(pending.len());
    for id in pending {
        let Some(content) = given.get_mut(id).and_then(Option::take) else {
            return Err(UsageError::new(
                "answer-missing",
                [call, " was given no answer to `", id, "`"].concat(),
                "answer every call in one request; a tool that failed can return its error as the answer",
            ));
        };
        ordered.push((id.clone(), content));
    }
    if ordered.is_empty() {
        return Err(UsageError::new(
            "nothing-pending",
            [call, " was given a turn that left nothing to answer"].concat(),
            "read the stream to its end, and look at its `status`",
        ));
    }
    Ok(ordered)
}
