//! The members that every event has, and how all of them are read.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::DecodeError;
use crate::json::{self, Element, Raw, Str};

/// The members that responses, messages and contents share. (Spec 1.2, `Event`.)
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Head<'a> {
    /// The whole object.
    pub json: Element<'a, 'a>,
    /// `sequence_number`; a string of digits counts, anything else is as good as absent.
    pub sequence_number: Option<i64>,
    /// `status`
    pub status: Option<Str<'a>>,
    /// `error`
    pub error: Option<Element<'a, 'a>>,
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
        let others = self.json.object().into_iter().flatten();
        let others = others.filter(|(key, _)| !key.as_plain().is_some_and(|name| declared.contains(&name)));
        others.map(|(key, value)| (key.to_str(), value.raw())).collect()
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
    pub(crate) fn read(error: Element<'a, 'a>, frame: Option<Element<'a, 'a>>) -> Self {
        let member = |name: &str| Self::member(frame?, name);
        if let Ok(text) = error.string() {
            let text = text.to_str();
            let message = match member("message").or_else(|| member("details")) {
                Some(detail) if !detail.is_empty() && detail != text => {
                    let mut both = text.into_owned();
                    json::put(&mut both, ": ");
                    json::put(&mut both, &detail);
                    Cow::Owned(both)
                }
                _ => text,
            };
            return ErrorValue { code: None, message };
        }
        ErrorValue {
            code: Self::member(error, "code"),
            message: Self::member(error, "message").unwrap_or(Cow::Borrowed(error.raw().as_str())),
        }
    }

    /// A member of an object as text: a string's characters, any other value's JSON.
    fn member(object: Element<'a, 'a>, name: &str) -> Option<Cow<'a, str>> {
        let members = object.object().ok()?;
        let (_, value) = members.filter(|(key, value)| *key == name && !value.is_null()).last()?;
        Some(value.string().map_or_else(|_| Cow::Borrowed(value.raw().as_str()), Str::to_str))
    }
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
    Json(Element<'a, 'a>),
}

impl<'a> Slot<'a> {
    pub fn integer(self) -> Option<i64> {
        if let Slot::Integer(number) = self { Some(number) } else { None }
    }

    pub fn text(self) -> Option<Str<'a>> {
        if let Slot::Text(text) = self { Some(text) } else { None }
    }

    pub fn json(self) -> Option<Element<'a, 'a>> {
        if let Slot::Json(value) = self { Some(value) } else { None }
    }

    #[inline]
    fn read(value: Element<'a, 'a>, form: Form) -> Result<Self, json::Error> {
        Ok(match form {
            Form::Number => value.integer().map_or(Slot::Null, Slot::Integer),
            Form::Any => Slot::Null,
            _ if value.is_null() => Slot::Null,
            Form::Integer => Slot::Integer(value.integer()?),
            Form::Boolean => Slot::Boolean(value.bool()?),
            Form::Text => Slot::Text(value.string()?),
            Form::TextOrJson if value.first() == b'"' => Slot::Text(value.string()?),
            Form::List if value.first() != b'[' => return Err(value.mismatch("array or null")),
            Form::TextOrJson | Form::Json | Form::List => Slot::Json(value),
        })
    }
}

/// The first members of every kind of event: `sequence_number`, `object`, `status`, `error`.
pub(super) const HEAD: [Form; 4] = [Form::Number, Form::Any, Form::Text, Form::Json];

/// Reads the members of an object into the slots of those that are declared. Names, forms and slots are in one order,
/// which begins with that of [`HEAD`].
pub(super) fn members<'a>(
    object: Element<'a, 'a>,
    names: &[&'static str],
    forms: &[Form],
    slots: &mut [Slot<'a>],
) -> Result<Head<'a>, DecodeError> {
    let mut members = object.object().map_err(|error| DecodeError::new(error, ""))?;
    let (mut extra_count, mut repeated) = (0, None);
    // Most servers write members in the order of their declaration, so the next one is looked at first.
    let mut next = 0;
    while let Some(value) = members.next_value() {
        let is_it = |known: &&str| value.is_of(known);
        let as_expected = names.get(next).is_some_and(is_it).then_some(next);
        let Some(at) = as_expected.or_else(|| names.iter().position(is_it)) else {
            extra_count += 1;
            continue;
        };
        next = at + 1;
        if let (Some(form), Some(slot)) = (forms.get(at), slots.get_mut(at)) {
            if !matches!(slot, Slot::Absent) {
                repeated = names.get(at).copied();
            }
            *slot =
                Slot::read(value, *form).map_err(|error| DecodeError::new(error, value.key().to_str()))?;
        }
    }
    let slot = |at: usize| slots.get(at).copied().unwrap_or_default();
    Ok(Head {
        json: object,
        sequence_number: slot(0).integer(),
        status: slot(2).text(),
        error: slot(3).json(),
        extra_count,
        repeated,
    })
}
