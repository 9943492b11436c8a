//! The body of a 422 reply, as FastAPI writes it.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Fault, PathStep, Problem};
use crate::json::{self, ErrorKind, Object, Value, write_list};

/// Returns `{"detail":[{"type":…,"loc":[…],"msg":…,"input":…},…]}`.
pub(crate) fn detail(problems: &[Problem]) -> String {
    let mut out = String::from("{\"detail\":");
    write_list(problems, &mut out, |problem, out| {
        let mut entry = Object::open(out, true);
        entry.string("type", Some(problem.code()));
        let place = problem.place.iter().map(|step| match step {
            PathStep::Name(name) => name.as_ref().into(),
            PathStep::Place(at) => (*at as i64).into(),
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
    let why = match error.kind {
        ErrorKind::UnexpectedEnd => "Unexpected end",
        ErrorKind::UnexpectedByte(_) => "Unexpected character",
        ErrorKind::ControlCharacter => "Invalid control character at",
        ErrorKind::BadEscape => "Invalid \\escape",
        ErrorKind::TooDeep => "Nested too deep",
        ErrorKind::TrailingBytes => "Extra data",
        ErrorKind::TooLong | ErrorKind::IdTooLong => "Too long",
        ErrorKind::WrongType { .. } => "Expecting value",
    };
    let at = text.char_indices().take_while(|&(at, _)| at < error.at).count();
    let place = vec!["body".into(), at.into()];
    Problem::new(place, Fault::NotJson(why), &Value::Object(Vec::new()))
}

/// Returns an error response as JSON: the `status`, `contentType` and `body` of the reply, the `message` for people,
/// the `problems`.
pub(crate) fn refusal(
    status: u16,
    content_type: &str,
    body: &str,
    message: &str,
    problems: &[Problem],
) -> String {
    let mut out = String::new();
    let mut object = Object::open(&mut out, false);
    object.integer("status", Some(status.into()));
    object.string("contentType", Some(content_type));
    object.string("body", Some(body));
    object.string("message", Some(message));
    object.member("problems").push_str(&Problem::list_to_json(problems));
    object.close();
    out
}
