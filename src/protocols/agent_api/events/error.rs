//! The value of an `error` member.

use alloc::borrow::Cow;

use super::ErrorFrame;
use crate::json::{self, Element};

/// The code and the message of an `error` member of any shape.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorValue<'a> {
    /// The `code`, if present.
    pub code: Option<Cow<'a, str>>,
    /// The message; JSON text if the error is neither a string nor an object with a message.
    pub message: Cow<'a, str>,
}

impl<'a> ErrorValue<'a> {
    /// Reads an event's error, which is an object or a string.
    pub(crate) fn read(error: Element<'a, 'a>) -> Self {
        if let Ok(text) = error.string() {
            return ErrorValue { code: None, message: text.to_str() };
        }
        let member = |name: &str| {
            let members = error.object().ok()?;
            let (_, value) = members.filter(|(key, value)| *key == name && !value.is_null()).last()?;
            Some(value.words())
        };
        let message = member("message").unwrap_or(Cow::Borrowed(error.raw().as_str()));
        ErrorValue { code: member("code"), message }
    }

    /// Reads a bare frame, in which other members may complement an error string.
    pub(super) fn of_frame(frame: ErrorFrame<'a>) -> Self {
        let Some(error) = frame.error() else { return ErrorValue { code: None, message: Cow::Borrowed("") } };
        let mut said = Self::read(error);
        if let (Ok(_), Some(detail)) = (error.string(), frame.message().or_else(|| frame.details())) {
            let detail = detail.words();
            if !detail.is_empty() && detail != said.message {
                let text = said.message.to_mut();
                json::put(text, ": ");
                json::put(text, &detail);
            }
        }
        said
    }
}
