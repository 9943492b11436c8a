//! Texts as stores keep them, and their lengths in the units of JavaScript.

use std::borrow::Cow;
use std::format;
use std::string::String;

use crate::core::limits::Limits;
use crate::json::{Value, write_characters};

/// The first character of a text in its other form.
const MARK: char = '\u{1}';

/// Returns a text that every database stores unchanged: the text itself, or its JSON after a mark.
/// Different texts have different results.
pub(crate) fn storable(text: &str) -> Cow<'_, str> {
    if text.starts_with(MARK) || text.contains('\0') {
        Cow::Owned(format!("{MARK}{}", stringified(text)))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the text that [`storable`] was called with.
pub(crate) fn original(stored: &str) -> Cow<'_, str> {
    match stored.strip_prefix(MARK) {
        None => Cow::Borrowed(stored),
        Some(json) => match Value::parse(json, Limits::DEEPEST) {
            Ok(Value::String(text)) => Cow::Owned(text),
            _ => Cow::Borrowed(json),
        },
    }
}

/// Returns a text as `JSON.stringify` of JavaScript returns it.
pub(crate) fn stringified(text: &str) -> String {
    let mut out = String::from('"');
    write_characters(text, &mut out);
    out.push('"');
    out
}

/// Returns the length of a text in UTF-16.
pub(crate) fn units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

/// Returns the place in a text after so many units of UTF-16; at most its end. A place inside of a
/// character is after it.
pub(crate) fn place_of(text: &str, length: usize) -> usize {
    let mut left = length;
    for (at, one) in text.char_indices() {
        if left == 0 {
            return at;
        }
        left = left.saturating_sub(one.len_utf16());
    }
    text.len()
}
