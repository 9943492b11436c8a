//! Requests to the APIs of OpenAI: how a server parses them, and the errors that its clients read.

use alloc::{string::String, vec, vec::Vec};
use core::fmt;

use super::{Problem, ProblemPathStep, Typed, check, json_within, read, refusal};
use crate::core::limits::Limits;
use crate::json::{ObjectWriter, decimal, put};

/// Parses and checks a request. `labels` are the names of alternatives in the paths of problems,
/// which OpenAI's servers do not include.
pub(crate) fn parse<T: Typed>(
    json: &str,
    limits: &Limits,
    labels: &'static [&'static str],
) -> Result<T, RequestError> {
    let refused = |problems| RequestError { problems, labels };
    let value = json_within(json, limits).map_err(|problem| refused(vec![problem]))?;
    let request: T = read(value, None).map_err(refused)?;
    match check(&request, None) {
        problems if problems.is_empty() => Ok(request),
        problems => Err(refused(problems)),
    }
}

/// The problems of a request that cannot be served. The answer names one problem, as OpenAI's
/// answers do.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestError {
    problems: Vec<Problem>,
    labels: &'static [&'static str],
}

impl RequestError {
    /// Returns the problems, in the order of the members' declaration. Never empty: the first 100
    /// problems, and then one with the code `problems_omitted`, whose sentence has the number of
    /// the others.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the HTTP status of the answer: 400, or 413 for a body that is too long.
    pub fn status(&self) -> u16 {
        let too_long = self.problems.iter().any(|problem| problem.code() == "body_too_long");
        if too_long { 413 } else { 400 }
    }

    /// Returns the body of the answer: `{"error":{"message","type","param","code"}}`.
    pub fn body(&self) -> String {
        let problem = self.main_problem();
        let param = problem.map(|problem| self.param(problem)).filter(|param| !param.is_empty());
        let code = problem.map(Problem::code);
        error_body(&self.text(), "invalid_request_error", param.as_deref(), code)
    }

    /// Returns the whole refusal as JSON: `status`, `contentType` and `body` of the answer, and the
    /// `problems`.
    pub fn to_json(&self) -> String {
        refusal(self.status(), "application/json", &self.body(), &self.text(), &self.problems)
    }

    /// Returns the problem that the answer names: the first one with the longest path. For a value
    /// that matches none of several types, this is the type that matched furthest.
    fn main_problem(&self) -> Option<&Problem> {
        let deepest = self.problems.iter().map(|problem| problem.place.len()).max();
        self.problems.iter().find(|problem| Some(problem.place.len()) == deepest)
    }

    /// Returns the displayed text without the formatting machinery, which the wasm module does not
    /// contain.
    pub(crate) fn text(&self) -> String {
        let Some(problem) = self.main_problem() else { return String::new() };
        match self.param(problem) {
            place if place.is_empty() => problem.expected().into_owned(),
            place => ["Invalid value for '", &place, "': ", &problem.expected()].concat(),
        }
    }

    /// Returns the location of a problem in OpenAI's notation: `input[0].content[1].text`.
    fn param(&self, problem: &Problem) -> String {
        let mut param = String::new();
        for step in &problem.place {
            match step {
                ProblemPathStep::Name(name) if self.labels.contains(&&**name) => {}
                ProblemPathStep::Name(name) => {
                    let separator = if param.is_empty() { "" } else { "." };
                    put(&mut param, &[separator, name].concat());
                }
                ProblemPathStep::Place(at) => {
                    put(&mut param, &["[", &decimal(*at as i64), "]"].concat())
                }
            }
        }
        param
    }
}

/// Returns an error in the format that OpenAI's clients read:
/// `{"error":{"message","type","param","code"}}`. For answers that are not streams.
pub fn error_body(message: &str, r#type: &str, param: Option<&str>, code: Option<&str>) -> String {
    let mut out = String::from("{\"error\":");
    let mut error = ObjectWriter::open(&mut out, false);
    error.string("message", Some(message));
    error.string("type", Some(r#type));
    error.string("param", param);
    error.string("code", code);
    error.close();
    out.push('}');
    out
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl core::error::Error for RequestError {}
