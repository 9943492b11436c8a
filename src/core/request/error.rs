//! The error of a refused request.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::core::request::{self, Problem};
use crate::json::put;

/// The error of an invalid request, with all its problems.
///
/// Servers answer with HTTP 422 and [`detail`](Self::detail), as FastAPI does.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestError {
    problems: Vec<Problem>,
}

impl RequestError {
    /// Creates the error; `problems` is not empty.
    pub(crate) fn new(problems: Vec<Problem>) -> Self {
        RequestError { problems }
    }

    /// Creates the error for these problems, if there are any: for servers that also refuse problems found by
    /// `validate` of a request.
    pub fn of(problems: Vec<Problem>) -> Option<Self> {
        (!problems.is_empty()).then(|| Self::new(problems))
    }

    /// Returns the problems, in the order of the members' declaration. Never empty: the first 100 problems, and then
    /// one with the code `problems_omitted`, whose text has the number of the others. Paths begin with `body`.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the HTTP status of the reply: 422, or 413 (an addition of this crate) for a body that is too long.
    pub fn status(&self) -> u16 {
        let too_long = self.problems.iter().any(|problem| problem.code() == "body_too_long");
        if too_long { 413 } else { 422 }
    }

    /// Returns the body of the reply: `{"detail":[{"type":…,"loc":[…],"msg":…,"input":…},…]}`.
    pub fn detail(&self) -> String {
        request::detail(&self.problems)
    }
}

impl RequestError {
    /// Returns the displayed text without the formatting machinery, which wasm leaves out.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            let separator = if text.is_empty() { "" } else { "; " };
            put(&mut text, &[separator, &problem.path(), ": ", &problem.expected()].concat());
        }
        text
    }

    /// Returns the whole error as JSON: the `status`, `contentType` and `body` of the reply, and the `problems`.
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
