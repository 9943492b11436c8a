//! The members that every event has, and how all of them are read.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::DecodeError;
use crate::json::{self, ErrorKind, Raw, Reader, Str, scan};

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

/// How the value of a declared member is read.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// Passed by.
    Any,
    /// An integer. Its absence is worth a report but not worth losing the event for: anything else is nothing.
    Number,
    /// An integer or null.
    Integer,
    /// A boolean or null.
    Boolean,
    /// A string or null.
    Text,
    /// A string or any JSON: which of the two it should be depends on another member.
    TextOrJson,
    /// Any JSON.
    Json,
    /// An array or null.
    List,
}

/// The value of a declared member.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Slot<'a> {
    #[default]
    Absent,
    Null,
    Integer(i64),
    Boolean(bool),
    Text(Str<'a>),
    Json(Raw<'a>),
}

impl<'a> Slot<'a> {
    pub fn integer(self) -> Option<i64> {
        if let Slot::Integer(number) = self { Some(number) } else { None }
    }

    pub fn text(self) -> Option<Str<'a>> {
        if let Slot::Text(text) = self { Some(text) } else { None }
    }

    pub fn json(self) -> Option<Raw<'a>> {
        if let Slot::Json(raw) = self { Some(raw) } else { None }
    }

    fn read(value: &mut Reader<'a>, form: Form) -> Result<Self, json::Error> {
        let found = match form {
            Form::Any => value.value().map(|_| None)?,
            Form::Number => {
                let integer = value.clone().integer_or_null().ok().flatten();
                value.value()?;
                integer.map(Slot::Integer)
            }
            Form::Integer => value.integer_or_null()?.map(Slot::Integer),
            Form::Boolean => value.bool_or_null()?.map(Slot::Boolean),
            Form::Text => value.string_or_null()?.map(Slot::Text),
            Form::TextOrJson if value.peek() == Some(b'"') => Some(Slot::Text(value.string()?)),
            Form::List if !matches!(value.peek(), Some(b'[' | b'n')) => {
                let kind = ErrorKind::WrongType { expected: "array or null" };
                return Err(json::Error { kind, at: value.offset() });
            }
            Form::TextOrJson | Form::Json | Form::List => value.value_or_null()?.map(Slot::Json),
        };
        Ok(found.unwrap_or(Slot::Null))
    }
}

/// The first members of every kind of event: `sequence_number`, `object`, `status`, `error`.
pub(super) const HEAD: [Form; 4] = [Form::Number, Form::Any, Form::Text, Form::Json];

/// Reads the members of the object that is next into the slots of those that are declared. Names, forms and slots are in
/// one order, which begins with that of [`HEAD`].
pub(super) fn members<'a>(
    reader: &mut Reader<'a>,
    names: &[&'static str],
    forms: &[Form],
    slots: &mut [Slot<'a>],
) -> Result<Head<'a>, DecodeError> {
    reader.peek();
    let start = reader.clone();
    let mut head = Head::default();
    let mut key_now = Str::plain("");
    // Most servers write members in the order of their declaration, so the next one is looked at first.
    let mut next = 0;
    let read = reader.object(|key, value| {
        key_now = key;
        let name = key.as_plain().unwrap_or("").as_bytes();
        let is_it = |known: &&str| scan::same(known.as_bytes(), name);
        let as_expected = names.get(next).is_some_and(is_it).then_some(next);
        let Some(at) = as_expected.or_else(|| names.iter().position(is_it)) else {
            head.extra_count += 1;
            return value.value().map(drop);
        };
        next = at + 1;
        if let (Some(form), Some(slot)) = (forms.get(at), slots.get_mut(at)) {
            if !matches!(slot, Slot::Absent) {
                head.repeated = names.get(at).copied();
            }
            *slot = Slot::read(value, *form)?;
        }
        Ok(())
    });
    head.json = start.until(reader);
    if let [number, _, status, error, ..] = slots {
        head.sequence_number = number.integer();
        head.status = status.text();
        head.error = error.json();
    }
    match read {
        Ok(()) => Ok(head),
        Err(error) => Err(DecodeError::new(error, key_now.to_str())),
    }
}
