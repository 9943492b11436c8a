//! The members that every event has, and how all of them are read.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::DecodeError;
use crate::json::{self, ErrorKind, Raw, Reader, Str};

/// The members that responses, messages and contents share. (Spec 1.2, `Event`.)
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Head<'a> {
    /// The whole object, verbatim.
    pub json: &'a str,
    /// `sequence_number`; a string of digits counts, anything else is as good as absent.
    pub sequence_number: Option<i64>,
    /// `status`
    pub status: Option<Str<'a>>,
    /// `error`
    pub error: Option<Raw<'a>>,
    /// How many members are not declared by the protocol; the event's `extra()` finds them.
    pub extra_count: u32,
    /// A declared member that stood twice; the last value counts.
    pub repeated: Option<&'static str>,
}

impl<'a> Head<'a> {
    /// The members that `declared` does not name.
    pub(crate) fn extra(&self, declared: &'static [&'static str]) -> Vec<(Cow<'a, str>, Raw<'a>)> {
        if self.extra_count == 0 { Vec::new() } else { self.other_than(declared) }
    }

    pub(crate) fn other_than(&self, declared: &[&str]) -> Vec<(Cow<'a, str>, Raw<'a>)> {
        let mut found = Vec::new();
        // The object was read once, so it reads again.
        let _ = Reader::new(self.json, u32::MAX).object(|key, value| {
            let raw = value.value()?;
            if !key.as_plain().is_some_and(|name| declared.contains(&name)) {
                found.push((key.to_str(), raw));
            }
            Ok(())
        });
        found
    }
}

/// What an `error` member says, whatever its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorValue<'a> {
    /// `code`, where there is one.
    pub code: Option<Cow<'a, str>>,
    /// The message; JSON text when the error is neither a string nor an object with a message.
    pub message: Cow<'a, str>,
}

impl<'a> ErrorValue<'a> {
    /// Reads an error that is an object (an event's) or a string (a bare frame's, where `frame` may add a `message`).
    pub(crate) fn read(error: Raw<'a>, frame: &'a str) -> Self {
        let mut reader = error.reader();
        match reader.peek() {
            Some(b'"') => {
                let text = reader.string().map(Str::to_str).unwrap_or_default();
                let detail = Self::member(frame, "message").or_else(|| Self::member(frame, "details"));
                let message = match detail {
                    Some(detail) if !detail.is_empty() && detail != text => {
                        let mut both = text.into_owned();
                        json::put(&mut both, ": ");
                        json::put(&mut both, &detail);
                        Cow::Owned(both)
                    }
                    _ => text,
                };
                ErrorValue { code: None, message }
            }
            _ => ErrorValue {
                code: Self::member(error.as_str(), "code"),
                message: Self::member(error.as_str(), "message").unwrap_or(Cow::Borrowed(error.as_str())),
            },
        }
    }

    /// A member of a JSON object as text: a string's characters, any other value's JSON.
    fn member(json: &'a str, name: &str) -> Option<Cow<'a, str>> {
        let mut found = None;
        let _ = Reader::new(json, u32::MAX).object(|key, value| {
            let is_it = key == name;
            let raw = value.value()?;
            if is_it && !raw.is_null() {
                found = Some(match raw.reader().string() {
                    Ok(text) => text.to_str(),
                    Err(_) => Cow::Borrowed(raw.as_str()),
                });
            }
            Ok(())
        });
        found
    }
}

/// Reads the one object that a text is.
pub(super) fn whole<'a, T>(
    json: &'a str,
    max_depth: u32,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let mut reader = Reader::new(json, max_depth);
    let object = read(&mut reader)?;
    reader.end().map_err(|e| DecodeError::new(e, ""))?;
    Ok(object)
}

/// Reads every element of an array that was checked before; one that cannot be read is passed over.
pub(super) fn each<'a, T>(
    list: Raw<'a>,
    mut read: impl FnMut(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Vec<Result<T, DecodeError>> {
    let mut items = Vec::new();
    let _ = list.reader().array(|item| {
        let mut ahead = item.clone();
        let read = read(&mut ahead);
        if read.is_ok() {
            *item = ahead;
        } else {
            item.value()?;
        }
        items.push(read);
        Ok(())
    });
    items
}

/// Reads the members of the object that is next with `member`, which answers false for names it does not declare.
pub(super) fn members<'a>(
    reader: &mut Reader<'a>,
    head: &mut Head<'a>,
    mut member: impl FnMut(&str, &mut Reader<'a>, &mut Seen) -> Result<bool, json::Error>,
) -> Result<(), DecodeError> {
    reader.peek();
    let start = reader.clone();
    let mut key_now = Str::plain("");
    let mut seen = Seen::default();
    let read = reader.object(|key, value| {
        key_now = key;
        let name = key.as_plain().unwrap_or("");
        match name {
            "sequence_number" => {
                seen.once("sequence_number", 0);
                head.sequence_number = integer_or_nothing(value)?;
            }
            "status" => {
                seen.once("status", 1);
                head.status = value.string_or_null()?;
            }
            "error" => {
                seen.once("error", 2);
                head.error = value.value_or_null()?;
            }
            "object" => {
                seen.once("object", 3);
                value.value()?;
            }
            _ if member(name, value, &mut seen)? => {}
            _ => {
                head.extra_count += 1;
                value.value()?;
            }
        }
        Ok(())
    });
    head.repeated = seen.repeated;
    head.json = start.until(reader);
    read.map_err(|e| DecodeError::new(e, key_now.to_str()))
}

/// Which declared members have been met.
#[derive(Default)]
pub(super) struct Seen {
    bits: u32,
    repeated: Option<&'static str>,
}

impl Seen {
    /// Notes the member with this number (0 to 3 are the head's).
    pub fn once(&mut self, name: &'static str, number: u32) {
        if self.bits & 1 << number != 0 {
            self.repeated = Some(name);
        }
        self.bits |= 1 << number;
    }
}

/// A number whose absence is worth a report but not worth losing the event for: anything but an integer is nothing.
pub(super) fn integer_or_nothing(value: &mut Reader<'_>) -> Result<Option<i64>, json::Error> {
    let integer = value.clone().integer_or_null().ok().flatten();
    value.value()?;
    Ok(integer)
}

/// A member that must be an array or null.
pub(super) fn array_or_null<'a>(value: &mut Reader<'a>) -> Result<Option<Raw<'a>>, json::Error> {
    match value.peek() {
        Some(b'[' | b'n') => value.value_or_null(),
        _ => {
            Err(json::Error { kind: ErrorKind::WrongType { expected: "array or null" }, at: value.offset() })
        }
    }
}
