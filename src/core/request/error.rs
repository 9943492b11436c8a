//! The error of a refused request, and the reply of the server.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::{Fault, Problem, ProblemPathStep};
use crate::json::{self, JsonErrorKind, ObjectWriter, Value, put, write_list};

/// The error of an invalid request, with all its problems.
///
/// Servers answer with HTTP 422 and [`detail`](Self::detail), as FastAPI does.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidRequest {
    problems: Vec<Problem>,
}

impl InvalidRequest {
    /// Creates the error; `problems` is not empty.
    pub(crate) fn new(problems: Vec<Problem>) -> Self {
        InvalidRequest { problems }
    }

    /// Creates the error for these problems, if there are any: for servers that also refuse
    /// problems found by `validate` of a request.
    pub fn of(problems: Vec<Problem>) -> Option<Self> {
        (!problems.is_empty()).then(|| Self::new(problems))
    }

    /// Returns the problems, in the order of the members' declaration. Never empty: the first 100
    /// problems, and then one with the code `problems_omitted`, whose text has the number of the
    /// others. Paths begin with `body`.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the HTTP status of the reply: 422, or 413 (an addition of this crate) for a body
    /// that is too long.
    pub fn status(&self) -> u16 {
        let too_long = self.problems.iter().any(|problem| problem.code() == "body_too_long");
        if too_long { 413 } else { 422 }
    }

    /// Returns the body of the reply: `{"detail":[{"type":…,"loc":[…],"msg":…,"input":…},…]}`.
    pub fn detail(&self) -> String {
        detail(&self.problems)
    }

    /// Returns the displayed text without the formatting machinery, which wasm leaves out.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            let separator = if text.is_empty() { "" } else { "; " };
            put(&mut text, &[separator, &problem.path(), ": ", &problem.expected()].concat());
        }
        text
    }

    /// Returns the whole error as JSON: the `status`, `contentType` and `body` of the reply, and
    /// the `problems`.
    pub fn to_json(&self) -> String {
        let message = self.text();
        refusal(self.status(), "application/json", &self.detail(), &message, &self.problems)
    }
}

impl fmt::Display for InvalidRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl core::error::Error for InvalidRequest {}

/// Returns `{"detail":[{"type":…,"loc":[…],"msg":…,"input":…},…]}`.
pub(crate) fn detail(problems: &[Problem]) -> String {
    let mut out = String::from("{\"detail\":");
    write_list(problems, &mut out, |problem, out| {
        let mut entry = ObjectWriter::open(out, true);
        entry.string("type", Some(problem.code()));
        let place = problem.place.iter().map(|step| match step {
            ProblemPathStep::Name(name) => name.as_ref().into(),
            ProblemPathStep::Place(at) => (*at as i64).into(),
        });
        entry.value("loc", Some(&Value::Array(place.collect())));
        entry.string("msg", Some(&problem.expected()));
        entry.value("input", Some(&problem.got));
        entry.value("ctx", problem.fault.context().as_ref());
        entry.close();
    });
    out.push('}');
    out
}

/// Returns the problem of a body that is not JSON; an empty body is missing.
pub(crate) fn not_json(text: &str, error: json::Error) -> Problem {
    if text.is_empty() {
        return Problem::new(vec!["body".into()], Fault::Missing, &Value::Null);
    }
    let reason = match error.kind {
        JsonErrorKind::UnexpectedEnd => "Unexpected end",
        JsonErrorKind::UnexpectedByte(_) => "Unexpected character",
        JsonErrorKind::ControlCharacter => "Invalid control character at",
        JsonErrorKind::BadEscape => "Invalid \\escape",
        JsonErrorKind::TooDeep => "Nested too deep",
        JsonErrorKind::TrailingBytes => "Extra data",
        JsonErrorKind::TooLong | JsonErrorKind::IdTooLong => "Too long",
        JsonErrorKind::WrongType { .. } => "Expecting value",
    };
    let at = text.char_indices().take_while(|&(at, _)| at < error.at).count();
    let place = vec!["body".into(), at.into()];
    Problem::new(place, Fault::NotJson(reason), &Value::Object(Vec::new()))
}

/// Returns an error response as JSON: the `status`, `contentType` and `body` of the reply, the
/// `message` for people, the `problems`.
pub(crate) fn refusal(
    status: u16,
    content_type: &str,
    body: &str,
    message: &str,
    problems: &[Problem],
) -> String {
    let mut out = String::new();
    let mut object = ObjectWriter::open(&mut out, false);
    object.integer("status", Some(status.into()));
    object.string("contentType", Some(content_type));
    object.string("body", Some(body));
    object.string("message", Some(message));
    object.member("problems").push_str(&Problem::list_to_json(problems));
    object.close();
    out
}

// Collects the problems of a request while it is read, so that an error lists more than the first
// one.

/// The maximum number of problems of one request that are kept. The others are counted.
const MOST: usize = 100;

/// The problems so far, and the current place.
#[derive(Debug)]
pub(crate) struct Diagnostics {
    found: Vec<Problem>,
    omitted: usize,
    here: Vec<ProblemPathStep>,
    /// The number of steps of `here` that lead to the request.
    root: usize,
}

impl Diagnostics {
    /// Creates empty diagnostics; `place` is the path of the request in error messages.
    pub(crate) fn at(place: Option<&'static str>) -> Self {
        let here: Vec<_> = place.into_iter().map(ProblemPathStep::from).collect();
        Diagnostics { found: Vec::new(), omitted: 0, root: here.len(), here }
    }

    /// Returns the problems. The last one is the number of those that were not kept, if any.
    pub(crate) fn into_problems(mut self) -> Vec<Problem> {
        if self.omitted > 0 {
            self.here.truncate(self.root);
            self.found.push(Problem::new(self.here, Fault::Omitted(self.omitted), &Value::Null));
        }
        self.found
    }

    /// Returns the number of problems.
    pub(super) fn count(&self) -> usize {
        self.found.len() + self.omitted
    }

    /// Reads a value one step further in.
    pub(crate) fn inside<T>(
        &mut self,
        step: impl Into<ProblemPathStep>,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.enter(step.into());
        let value = read(self);
        self.leave();
        value
    }

    /// Notes a fault of a member with a name that the protocol does not declare.
    #[cfg(feature = "runs")]
    pub(crate) fn note_undeclared(&mut self, name: &str, fault: Fault, got: &Value) {
        let step = ProblemPathStep::Name(super::problem::abridged_text(name).into());
        self.inside(step, |diagnostics| diagnostics.note(fault, got));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn enter(&mut self, step: ProblemPathStep) {
        self.here.push(step);
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn leave(&mut self) {
        self.here.pop();
    }

    /// Adds a fault of the current value.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn note(&mut self, fault: Fault, got: &Value) {
        match self.found.len() < MOST {
            true => self.found.push(Problem::new(self.here.clone(), fault, got)),
            false => self.omitted += 1,
        }
    }

    /// Adds a fault of a member of the current value.
    pub(crate) fn note_member(&mut self, name: &'static str, fault: Fault, got: &Value) {
        self.inside(name, |diagnostics| diagnostics.note(fault, got));
    }

    /// Creates diagnostics for a trial at the same place.
    pub(crate) fn branch(&self) -> Diagnostics {
        Diagnostics { found: Vec::new(), omitted: 0, here: self.here.clone(), root: self.root }
    }

    /// Adds the problems of a trial.
    pub(crate) fn absorb(&mut self, tried: Diagnostics) {
        let room = MOST - self.found.len();
        self.omitted += tried.omitted + tried.found.len().saturating_sub(room);
        self.found.extend(tried.found.into_iter().take(room));
    }
}
