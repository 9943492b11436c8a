//! Errors of reading JSON.

use alloc::string::String;

use super::number::push_integer;
use crate::bytes::put;

/// The position and the reason of an error in a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The reason.
    pub kind: JsonErrorKind,
    /// Byte offset in the text.
    pub at: usize,
}

/// The reason of an error in a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The text ended inside a value.
    UnexpectedEnd,
    /// A byte that is not allowed at its position.
    UnexpectedByte(u8),
    /// A control character is unescaped in a string.
    ControlCharacter,
    /// A backslash is not the start of an escape.
    BadEscape,
    /// Arrays and objects are nested deeper than the limit allows.
    TooDeep,
    /// The value has another type than the requested one.
    WrongType {
        /// The type that the protocol has here.
        expected: &'static str,
    },
    /// The value is followed by other text.
    TrailingBytes,
    /// The text has 2 GiB or more.
    TooLong,
    /// An id is longer than the limit allows.
    IdTooLong,
}

impl Error {
    /// Appends the message, without the formatting machinery, which the smallest build leaves out.
    pub(crate) fn write(&self, out: &mut String) {
        put(
            out,
            match self.kind {
                JsonErrorKind::UnexpectedEnd => "the text ends too early",
                JsonErrorKind::UnexpectedByte(_) => "unexpected `",
                JsonErrorKind::ControlCharacter => "an unescaped control character",
                JsonErrorKind::BadEscape => "a backslash that starts no escape",
                JsonErrorKind::TooDeep => "nested too deep",
                JsonErrorKind::WrongType { .. } => "expected ",
                JsonErrorKind::TrailingBytes => "something after the value",
                JsonErrorKind::TooLong => "2 GiB or more",
                JsonErrorKind::IdTooLong => "an id that is too long",
            },
        );
        match self.kind {
            JsonErrorKind::UnexpectedByte(byte) => {
                out.extend(byte.escape_ascii().map(char::from));
                put(out, "`");
            }
            JsonErrorKind::WrongType { expected } => put(out, expected),
            _ => {}
        }
        put(out, " at byte ");
        push_integer(self.at as i64, out);
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut sentence = String::new();
        self.write(&mut sentence);
        f.write_str(&sentence)
    }
}

impl core::error::Error for Error {}
