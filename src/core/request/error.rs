//! Why a request was refused.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::core::request::{self, Problem};
use crate::json::put;

/// A request that cannot be served: what is wrong with it, not only the first thing.
///
/// Servers answer with HTTP 422 and [`detail`](Self::detail), as FastAPI does.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestError {
    problems: Vec<Problem>,
}

impl RequestError {
    /// `problems` is not empty.
    pub(crate) fn new(problems: Vec<Problem>) -> Self {
        RequestError { problems }
    }

    /// The refusal for these problems, if there are any: for servers that refuse what `validate` of a request finds, too.
    pub fn of(problems: Vec<Problem>) -> Option<Self> {
        (!problems.is_empty()).then(|| Self::new(problems))
    }

    /// What is wrong, in the order of the members' declaration. Never empty: the first 100 problems, and then one with the
    /// code `problems_omitted`, whose sentence has the number of the others. Paths begin with `body`.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The HTTP status the server answers with, 422; a body that is too long is our own addition, 413.
    pub fn status(&self) -> u16 {
        let too_long = self.problems.iter().any(|problem| problem.code() == "body_too_long");
        if too_long { 413 } else { 422 }
    }

    /// The body of the reply: `{"detail":[{"type":…,"loc":[…],"msg":…,"input":…},…]}`.
    pub fn detail(&self) -> String {
        request::detail(&self.problems)
    }
}

impl RequestError {
    /// What is displayed, without the formatting machinery, which the wasm leaves out.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            let separator = if text.is_empty() { "" } else { "; " };
            put(&mut text, &[separator, &problem.path(), ": ", &problem.expected()].concat());
        }
        text
    }

    /// The whole refusal as JSON: `status`, `contentType` and `body` of the answer, and the `problems`.
    pub fn to_json(&self) -> String {
        let message = self.text();
        request::refusal(self.status(), "application/json", &self.detail(), &message, &self.problems)
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl core::error::Error for RequestError {}
