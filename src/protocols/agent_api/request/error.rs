//! The reasons for refusing a request, as data, as text and in the wire formats.

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::core::request::{self, Fault, Problem, ProblemPathStep, python};
use crate::json::{decimal, put};

/// A request that cannot be served, with all of its problems.
///
/// The runtime refuses in two ways, and so does this type (spec 3.1 and 3.3). A body that is not a
/// JSON object never reaches the agent and is answered with HTTP 422 and [`detail`](Self::detail).
/// Other errors are found after the answer has begun with HTTP 200, and are sent as one bare error
/// frame, [`to_sse`](Self::to_sse).
#[derive(Clone, Debug, PartialEq)]
pub struct RequestError {
    model: &'static str,
    problems: Vec<Problem>,
}

impl RequestError {
    /// Creates an error. `problems` must not be empty; `model` is the runtime's name of the class
    /// that was read.
    pub(super) fn new(model: &'static str, problems: Vec<Problem>) -> Self {
        RequestError { model, problems }
    }

    /// Returns the problems, in the order of the members' declaration. Never empty: the first 100
    /// problems, followed by one with the code `problems_omitted`, whose message contains the
    /// number of the others.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the HTTP status of the runtime's answer: 422 for a body that is not a JSON object,
    /// otherwise 200, because the error is sent inside the stream. The status 413 for a body that
    /// is too long is an addition of this crate.
    pub fn status(&self) -> u16 {
        let Some(first) = self.problems.first() else {
            return 200;
        };
        match first.fault {
            Fault::TooLong(_) => 413,
            _ if first.place.first() == Some(&ProblemPathStep::from("body")) => 422,
            _ => 200,
        }
    }

    /// Returns the body of a 422 reply: `{"detail":[{"type":…,"loc":[…],"msg":…,"input":…},…]}`.
    pub fn detail(&self) -> String {
        request::detail(&self.problems)
    }

    /// Returns the whole refusal as JSON: `status`, `contentType` and `body` of the answer, and the
    /// `problems`.
    pub fn to_json(&self) -> String {
        let framed = self.status() == 200;
        let (kind, body) = match framed {
            true => ("text/event-stream; charset=utf-8", self.to_sse()),
            false => ("application/json", self.detail()),
        };
        request::refusal(self.status(), kind, &body, &self.text(), &self.problems)
    }

    /// Returns the displayed text without the formatting machinery, which the wasm build omits.
    pub(crate) fn text(&self) -> String {
        let count: usize = self.problems.iter().map(Problem::count).sum();
        let s = if count == 1 { "" } else { "s" };
        let mut text =
            [&decimal(count as i64), " validation error", s, " for ", self.model].concat();
        for problem in &self.problems {
            let piece = [
                "\n",
                &problem.path(),
                "\n  ",
                &problem.expected(),
                " [type=",
                problem.code(),
                ", input_value=",
                &python::shorten(&python::repr(&problem.got)),
                ", input_type=",
                python::type_name(&problem.got),
                "]\n    For further information visit https://errors.pydantic.dev/2.12/v/",
                problem.code(),
            ];
            piece.into_iter().for_each(|piece| put(&mut text, piece));
        }
        text
    }

    /// Returns the bare error frame, ready for the stream.
    pub fn to_sse(&self) -> String {
        bare_error_frame(&self.text())
    }
}

/// Returns one frame `data: {"error": "<text>"}`, as the runtime sends it: a space after the colon,
/// all characters outside of ASCII escaped, no other member. It is the last frame of its stream,
/// and often the only one. (Spec 3.3.)
pub fn bare_error_frame(text: &str) -> String {
    ["data: {\"error\": ", &python::dumps(text), "}\n\n"].concat()
}

impl fmt::Display for RequestError {
    /// Writes exactly the text of the runtime.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl core::error::Error for RequestError {}
