//! Why a request was refused, for programs, for people and for the wire.

use alloc::{string::String, vec::Vec};

use crate::core::request::{self, Fault, PathStep, Problem, python};
use crate::json::{decimal, put};
use core::fmt;

/// A request that cannot be served: what is wrong with it, not only the first thing.
///
/// The runtime refuses in two ways, and so does this type (spec 3.1 and 3.3): a body that is no JSON object never
/// reaches the agent and is answered with HTTP 422 and [`detail`](Self::detail); anything else is found when the answer
/// has begun with HTTP 200, and is sent as one bare error frame, [`to_sse`](Self::to_sse).
#[derive(Clone, Debug, PartialEq)]
pub struct RequestError {
    model: &'static str,
    problems: Vec<Problem>,
}

impl RequestError {
    /// `problems` is not empty; `model` is the runtime's name of what was read.
    pub(super) fn new(model: &'static str, problems: Vec<Problem>) -> Self {
        RequestError { model, problems }
    }

    /// What is wrong, in the order of the members' declaration. Never empty: the first 100 problems, and then one with the
    /// code `problems_omitted`, whose sentence has the number of the others.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The HTTP status the runtime answers with: 422 for a body that is no JSON object, otherwise 200, because the
    /// error travels inside the stream. A body that is too long is our own addition, 413.
    pub fn status(&self) -> u16 {
        let Some(first) = self.problems.first() else {
            return 200;
        };
        match first.fault {
            Fault::TooLong(_) => 413,
            _ if first.place.first() == Some(&PathStep::from("body")) => 422,
            _ => 200,
        }
    }

    /// The body of a 422 reply: `{"detail":[{"type":…,"loc":[…],"msg":…,"input":…},…]}`.
    pub fn detail(&self) -> String {
        request::detail(&self.problems)
    }

    /// The whole refusal as JSON: `status`, `contentType` and `body` of the answer, and the `problems`.
    pub fn to_json(&self) -> String {
        let framed = self.status() == 200;
        let (kind, body) = match framed {
            true => ("text/event-stream; charset=utf-8", self.to_sse()),
            false => ("application/json", self.detail()),
        };
        request::refusal(self.status(), kind, &body, &self.text(), &self.problems)
    }

    /// What is displayed, without the formatting machinery, which the wasm leaves out.
    pub(crate) fn text(&self) -> String {
        let count: usize = self.problems.iter().map(Problem::count).sum();
        let s = if count == 1 { "" } else { "s" };
        let mut text = [&decimal(count as i64), " validation error", s, " for ", self.model].concat();
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

    /// The bare error frame, ready for the stream.
    pub fn to_sse(&self) -> String {
        bare_error_frame(&self.text())
    }
}

/// One frame `data: {"error": "<text>"}`, as the runtime sends it: a space after the colon, everything outside of ASCII
/// escaped, nothing else in the object. It is the last frame of its stream, and often the only one. (Spec 3.3.)
pub fn bare_error_frame(text: &str) -> String {
    ["data: {\"error\": ", &python::dumps(text), "}\n\n"].concat()
}

impl fmt::Display for RequestError {
    /// The runtime's own text, to the letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl core::error::Error for RequestError {}
