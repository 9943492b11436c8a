//! Filters of JSON inside events, for protocols whose readers drop unknown members and refuse invalid ones: known
//! members are kept, and the paths of the others are reported.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::put;
use crate::core::error::DecodeError;
use crate::json::{self, Element, ErrorKind, push_integer, write_string};

/// The type of a value.
#[derive(Debug)]
pub(crate) enum Filter {
    /// A string.
    Text,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// An integer that every reader can represent, not less than this.
    Integer(i64),
    /// True or false.
    Bool,
    /// Anything.
    Any,
    /// Anything but null.
    NotNull,
    /// Any object.
    Object,
    /// A string that is a JSON Pointer.
    Pointer,
    /// A list of at least this number of items.
    List(&'static Filter, usize),
    /// A string, or this.
    TextOr(&'static Filter),
    /// An object with these members.
    Members(&'static [Row]),
    /// One of several objects, identified by a member. Others are dropped. `true` keeps unknown members.
    OneOf(&'static str, &'static [(&'static str, &'static [Row])], bool),
}

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Row {
    pub name: &'static str,
    /// Its field in a message, in the format of [`Number`](crate::core::declare::events::number::Number).
    pub number: u16,
    pub filter: Filter,
    pub needed: Needed,
}

impl Row {
    /// Whether the value is a null that stands for an absent member.
    fn may_be_dropped(&self, value: Element<'_, '_>) -> bool {
        value.is_null() && self.needed != Needed::Always && !matches!(self.filter, Filter::Any)
    }
}

/// Whether a member is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    Always,
    /// The member may be omitted, but not null: null counts as absent, and is invalid.
    Optional,
    /// The member may be omitted, and was null in older versions.
    OptionalOrNull,
}

/// A value that was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dropped {
    /// An unknown value at this path.
    Unknown(String),
    /// A null at this path that stands for an absent member.
    Null(String),
    /// Such a null that no version of the protocol allows.
    WrongNull(String),
}

/// The result of filtering.
#[derive(Debug, Default)]
pub(crate) struct Filtered {
    /// The JSON that is kept.
    pub json: String,
    pub dropped: Vec<Dropped>,
}

/// JSON that is being filtered.
#[derive(Debug, Default)]
struct Filtering<'a> {
    json: String,
    dropped: Vec<Dropped>,
    path: Vec<Step<'a>>,
}

/// A step of the path to a value.
#[derive(Clone, Debug)]
enum Step<'a> {
    Name(Cow<'a, str>),
    Index(usize),
}

/// Whether a value is kept.
type Kept = Result<bool, DecodeError>;

impl Filtered {
    /// Filters the member of an event. An invalid value is an error with its path.
    pub fn of(member: &str, value: Element<'_, '_>, filter: &Filter) -> Result<Self, DecodeError> {
        let mut filtering = Filtering::default();
        filtering.path.push(Step::Name(member.into()));
        if !filtering.value(value, filter)? {
            filtering.json.clear();
            filtering.dropped = alloc::vec![Dropped::Unknown(filtering.pointer())];
        }
        Ok(Filtered { json: filtering.json, dropped: filtering.dropped })
    }
}

impl<'a> Filtering<'a> {
    #[cold]
    #[inline(never)]
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            put(&mut pointer, "/");
            step.write(&mut pointer);
        }
        pointer
    }

    /// Returns the path in the format of errors.
    #[cold]
    #[inline(never)]
    fn dotted(&self) -> String {
        let mut path = String::new();
        for (at, step) in self.path.iter().enumerate() {
            put(&mut path, if at == 0 { "" } else { "." });
            step.write(&mut path);
        }
        path
    }

    fn wrong<T>(&self, value: Option<Element<'_, '_>>, expected: &'static str) -> Result<T, DecodeError> {
        let error =
            json::Error { kind: ErrorKind::WrongType { expected }, at: value.map_or(0, Element::offset) };
        let mut error = DecodeError::new(error, self.dotted());
        if value.is_none() {
            error.code = "missing-member";
        }
        Err(error)
    }

    fn value(&mut self, value: Element<'_, 'a>, filter: &Filter) -> Kept {
        let text = || value.string().ok().map(json::Str::to_str);
        let is_safe = |least: i64, number: &str| {
            const SAFE: i64 = (1 << 53) - 1;
            json::integer(number).is_some_and(|number| (least.max(-SAFE)..=SAFE).contains(&number))
        };
        let (right, expected) = match filter {
            Filter::Text => (text().is_some(), "string"),
            Filter::Word(words) => {
                (text().is_some_and(|text| words.contains(&&*text)), "one of the protocol's words")
            }
            Filter::Integer(least) => (value.number().is_ok_and(|number| is_safe(*least, number)), "integer"),
            Filter::Bool => (value.bool().is_ok(), "boolean"),
            Filter::Any => (true, ""),
            Filter::NotNull => (!value.is_null(), "anything but null"),
            Filter::Object => (value.object().is_ok(), "object"),
            Filter::Pointer => {
                let is_pointer = |text: &str| crate::core::json_patch::steps(text).is_some();
                (text().is_some_and(|text| is_pointer(&text)), "JSON Pointer")
            }
            Filter::TextOr(_) if value.string().is_ok() => (true, ""),
            Filter::TextOr(other) => return self.value(value, other),
            Filter::List(items, least) => return self.list(value, items, *least),
            Filter::Members(rows) => return self.members(value, rows, false),
            Filter::OneOf(tag, variants, open) => {
                let Ok(members) = value.object() else { return self.wrong(Some(value), "object") };
                let name = members.filter(|(name, _)| *name == *tag).last();
                let name = name.and_then(|(_, name)| name.string().ok()).map(json::Str::to_str);
                let known = variants.iter().find(|(known, _)| Some(*known) == name.as_deref());
                return known.map_or(Ok(false), |(_, rows)| self.members(value, rows, *open));
            }
        };
        match right {
            true => self.json.push_str(value.raw().as_str()),
            false => return self.wrong(Some(value), expected),
        }
        Ok(true)
    }

    /// Filters a nested value. If the value is dropped, the values dropped inside it are not reported.
    fn inside(&mut self, step: Step<'a>, work: impl FnOnce(&mut Self) -> Kept) -> Kept {
        let (json, dropped) = (self.json.len(), self.dropped.len());
        self.path.push(step);
        let kept = work(self)?;
        if !kept {
            self.json.truncate(json);
            self.dropped.truncate(dropped);
            self.dropped.push(Dropped::Unknown(self.pointer()));
        }
        self.path.pop();
        Ok(kept)
    }

    fn list(&mut self, value: Element<'_, 'a>, items: &Filter, least: usize) -> Kept {
        let Ok(elements) = value.array() else { return self.wrong(Some(value), "array") };
        self.json.push('[');
        let mut count = 0;
        for (at, element) in elements.enumerate() {
            let kept = self.inside(Step::Index(at), |inside| {
                if count > 0 {
                    inside.json.push(',');
                }
                inside.value(element, items)
            })?;
            count += usize::from(kept);
        }
        self.json.push(']');
        if count < least { self.wrong(Some(value), "at least one element") } else { Ok(true) }
    }

    fn members(&mut self, value: Element<'_, 'a>, rows: &[Row], open: bool) -> Kept {
        let Ok(members) = value.object() else { return self.wrong(Some(value), "object") };
        let mut seen = 0u32;
        self.json.push('{');
        for (name, value) in members {
            let name = name.to_str();
            let known = rows.iter().position(|row| row.name == name);
            let row = known.and_then(|at| rows.get(at));
            if let Some(row) = row.filter(|row| row.may_be_dropped(value)) {
                self.path.push(Step::Name(name));
                let dropped = match row.needed {
                    Needed::Optional => Dropped::WrongNull(self.dotted()),
                    _ => Dropped::Null(self.pointer()),
                };
                self.dropped.push(dropped);
                self.path.pop();
                continue;
            }
            let optional = row.is_none_or(|row| row.needed != Needed::Always);
            let kept = self.inside(Step::Name(name.clone()), |inside| {
                if !inside.json.ends_with('{') {
                    inside.json.push(',');
                }
                write_string(&name, &mut inside.json);
                inside.json.push(':');
                match row {
                    Some(row) => inside.value(value, &row.filter),
                    None if open => inside.value(value, &Filter::Any),
                    None => Ok(false),
                }
            })?;
            if !kept && !optional {
                return Ok(false);
            }
            seen |= known.filter(|_| kept).map_or(0, |at| 1 << at);
        }
        self.json.push('}');
        for (at, row) in rows.iter().enumerate() {
            if row.needed == Needed::Always && seen & 1 << at == 0 {
                self.path.push(Step::Name(row.name.into()));
                return self.wrong(None, "a value");
            }
        }
        Ok(true)
    }
}

impl Step<'_> {
    fn write(&self, out: &mut String) {
        match self {
            Step::Name(name) => put(out, name),
            Step::Index(at) => push_integer(*at as i64, out),
        }
    }
}

/// Declares the members of an object, with the numbers of their fields: `id(1): Always Filter::Text`.
macro_rules! rows {
    ($($name:ident $(($($number:tt)+))?: $needed:ident $filter:expr),* $(,)?) => {
        &[$($crate::core::declare::events::filter::Row {
            name: stringify!($name),
            number: $crate::core::declare::events::number::numbered!($($($number)+)?),
            filter: $filter,
            needed: $crate::core::declare::events::filter::Needed::$needed,
        }),*]
    };
}
pub(crate) use rows;
