//! The only two errors: bytes that are not an event, and an invalid call.
//!
//! A protocol violation of the peer is a [`Violation`](crate::Violation), which is a value.

use alloc::string::String;
use core::fmt;

use crate::core::violation::shorten;
use crate::json;

/// The bytes are not an event of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// Stable name of the fault, kebab-case.
    pub code: &'static str,
    /// The path in the event: member names and array positions joined by dots, empty at the top. A
    /// long name is shortened.
    pub path: String,
    /// Byte offset inside the event's JSON text.
    pub offset: usize,
    /// The value that the protocol expects there.
    pub expected: &'static str,
}

impl DecodeError {
    /// The code of an id that is longer than [`Limits::id_bytes`](crate::Limits::id_bytes).
    pub(crate) const ID_TOO_LONG: &str = "id-too-long";

    pub(crate) fn new(error: json::Error, path: impl Into<String>) -> Self {
        use json::JsonErrorKind::*;
        let (code, expected) = match error.kind {
            UnexpectedEnd => ("unexpected-end", "more JSON"),
            UnexpectedByte(_) => ("not-json", "JSON"),
            ControlCharacter => ("control-character", "an escaped control character"),
            BadEscape => ("bad-escape", "a JSON escape"),
            TooDeep => ("too-deep", "less nesting than `json_depth`"),
            WrongType { expected } => ("wrong-type", expected),
            TrailingBytes => ("trailing-bytes", "the end of the event"),
            TooLong => ("too-long", "less than 2 GiB"),
            IdTooLong => (DecodeError::ID_TOO_LONG, "an id of at most `id_bytes`"),
        };
        DecodeError { code, path: path.into(), offset: error.at, expected }
    }
}

impl From<json::MemberError<'_>> for DecodeError {
    fn from(error: json::MemberError<'_>) -> Self {
        Self::new(error.error, shorten(&error.member.to_str()))
    }
}

impl DecodeError {
    /// Writes the message without the formatting machinery, which the smallest build leaves out.
    pub(crate) fn write(&self, out: &mut String) {
        json::put(out, self.code);
        json::put(out, " at byte ");
        json::push_integer(self.offset as i64, out);
        if !self.path.is_empty() {
            json::put(out, " (`");
            json::put(out, &self.path);
            json::put(out, "`)");
        }
        json::put(out, ": expected ");
        json::put(out, self.expected);
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sentence = String::new();
        self.write(&mut sentence);
        f.write_str(&sentence)
    }
}

impl core::error::Error for DecodeError {}

/// A call that would create an illegal stream or request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsageError {
    /// Stable name of the mistake, kebab-case.
    pub code: &'static str,
    /// The call, and why it is not allowed.
    pub problem: String,
    /// The call to make instead.
    pub instead: &'static str,
}

impl UsageError {
    pub(crate) fn new(
        code: &'static str,
        problem: impl Into<String>,
        instead: &'static str,
    ) -> Self {
        UsageError { code, problem: problem.into(), instead }
    }

    /// Returns the displayed text without the formatting machinery, which wasm leaves out.
    pub(crate) fn text(&self) -> String {
        [self.code, ": ", &self.problem, "; ", self.instead].concat()
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl core::error::Error for UsageError {}
