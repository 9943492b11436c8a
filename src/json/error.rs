//! Why a JSON text could not be read.

/// Where and why a JSON text could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// What was wrong.
    pub kind: ErrorKind,
    /// Byte offset inside the text.
    pub at: usize,
}

/// What can be wrong with a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text ended inside a value.
    UnexpectedEnd,
    /// A byte that no JSON text has at this place.
    UnexpectedByte(u8),
    /// A control character stands unescaped inside a string.
    ControlCharacter,
    /// A backslash is followed by something that is no escape.
    BadEscape,
    /// Arrays and objects are nested deeper than the limit allows.
    TooDeep,
    /// The value has another type than the one asked for.
    WrongType {
        /// What the protocol has here.
        expected: &'static str,
    },
    /// Something follows the value.
    TrailingBytes,
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.kind {
            ErrorKind::UnexpectedEnd => f.write_str("the text ends too early"),
            ErrorKind::UnexpectedByte(byte) => write!(f, "unexpected `{}`", byte.escape_ascii()),
            ErrorKind::ControlCharacter => f.write_str("an unescaped control character"),
            ErrorKind::BadEscape => f.write_str("a backslash that starts no escape"),
            ErrorKind::TooDeep => f.write_str("nested too deep"),
            ErrorKind::WrongType { expected } => write!(f, "expected {expected}"),
            ErrorKind::TrailingBytes => f.write_str("something behind the value"),
        }?;
        write!(f, " at byte {}", self.at)
    }
}

impl core::error::Error for Error {}
