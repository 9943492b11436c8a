//! The members that every event has, and how all of them are read.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::core::error::DecodeError;
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
        Some(value.words())
    }
}

/// What the value of a declared member may be.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// Anything: it is free JSON, what it should be depends on another member, or a wrong one is not worth losing the
    /// event for.
    Any,
    /// An integer or null.
    Integer,
    /// A boolean or null.
    Boolean,
    /// A string or null.
    Text,
    /// A string of bounded length, or null.
    Id,
    /// An array or null.
    List,
}

impl Form {
    /// Refuses a value that it does not allow.
    #[inline]
    fn check(self, value: Element<'_, '_>) -> Result<(), json::Error> {
        match self {
            Form::Any => Ok(()),
            _ if value.is_null() => Ok(()),
            Form::Integer => value.integer().map(drop),
            Form::Boolean => value.bool().map(drop),
            Form::Text => value.string().map(drop),
            Form::Id => value.id().map(drop),
            Form::List if value.first() == b'[' => Ok(()),
            Form::List => Err(value.mismatch("array or null")),
        }
    }
}

/// Where the values of the declared members stand, by the order of their declaration; 0 for those that are absent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots<'a, const N: usize> {
    object: Element<'a, 'a>,
    pub places: [u32; N],
}

impl<'a, const N: usize> Slots<'a, N> {
    pub fn new(object: Element<'a, 'a>) -> Self {
        Slots { object, places: [0; N] }
    }

    /// The value of a member, null too.
    #[inline]
    pub fn value(&self, at: usize) -> Option<Element<'a, 'a>> {
        let place = self.places.get(at).copied().filter(|place| *place != 0)?;
        Some(self.object.other(place))
    }

    /// The value of a member that is not null.
    #[inline]
    pub fn json(&self, at: usize) -> Option<Element<'a, 'a>> {
        self.value(at).and_then(Element::or_null)
    }

    /// A string.
    #[inline]
    pub fn text(&self, at: usize) -> Option<Str<'a>> {
        self.value(at)?.string().ok()
    }

    /// An integer.
    pub fn integer(&self, at: usize) -> Option<i64> {
        self.value(at)?.integer().ok()
    }
}

/// The first members of every kind of event: `sequence_number`, `object`, `status`, `error`.
pub(super) const HEAD: [Form; 4] = [Form::Any, Form::Any, Form::Text, Form::Any];

/// Finds the members of an object that are declared. Names, forms and places are in one order, which begins with that of
/// [`HEAD`].
pub(super) fn members<'a, const N: usize>(
    object: Element<'a, 'a>,
    names: &[&'static str],
    forms: &[Form; N],
) -> Result<(Head<'a>, Slots<'a, N>), DecodeError> {
    let mut slots = Slots::new(object);
    let (extra_count, repeated) = find(object, names, forms, &mut slots.places)?;
    let head = Head {
        json: object,
        sequence_number: slots.integer(0),
        status: slots.text(2),
        error: slots.json(3),
        extra_count,
        repeated,
    };
    Ok((head, slots))
}

/// Fills the places; says how many members are not declared and which one stood twice.
fn find(
    object: Element<'_, '_>,
    names: &[&'static str],
    forms: &[Form],
    places: &mut [u32],
) -> Result<(u32, Option<&'static str>), DecodeError> {
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
        if let (Some(form), Some(place)) = (forms.get(at), places.get_mut(at)) {
            form.check(value).map_err(|error| DecodeError::new(error, value.key().to_str()))?;
            if core::mem::replace(place, value.place()) != 0 {
                repeated = names.get(at).copied();
            }
        }
    }
    Ok((extra_count, repeated))
}
