//! Filters of JSON inside events, for protocols whose readers drop unknown members and refuse
//! invalid ones: known members are kept, and the paths of the others are reported.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::form::{Check, Null};
use super::table::{EventMemberRow, EventTable};
use crate::bytes::put;
use crate::core::error::DecodeError;
use crate::json::{self, Element, JsonErrorKind, push_integer, write_string};

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
struct FilterState<'a> {
    json: String,
    dropped: Vec<Dropped>,
    path: Vec<FilterPathStep<'a>>,
}

/// A step of the path to a value.
#[derive(Clone, Debug)]
enum FilterPathStep<'a> {
    Name(Cow<'a, str>),
    Index(usize),
}

/// The largest integer that every reader can represent.
const SAFE: i64 = (1 << 53) - 1;

/// Whether a value is kept.
type FilterResult = Result<bool, DecodeError>;

impl Filtered {
    /// Filters the member of an event. An invalid value is an error with its path.
    pub fn of(member: &str, value: Element<'_, '_>, check: Check) -> Result<Self, DecodeError> {
        let mut filtering = FilterState::default();
        filtering.path.push(FilterPathStep::Name(member.into()));
        if !filtering.value(value, check)? {
            filtering.json.clear();
            filtering.dropped = alloc::vec![Dropped::Unknown(filtering.pointer())];
        }
        Ok(Filtered { json: filtering.json, dropped: filtering.dropped })
    }
}

impl<'a> FilterState<'a> {
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

    fn wrong<T>(
        &self,
        value: Option<Element<'_, '_>>,
        expected: &'static str,
    ) -> Result<T, DecodeError> {
        let error = json::Error {
            kind: JsonErrorKind::WrongType { expected },
            at: value.map_or(0, Element::offset),
        };
        let mut error = DecodeError::new(error, self.dotted());
        if value.is_none() {
            error.code = "missing-member";
        }
        Err(error)
    }

    fn value(&mut self, value: Element<'_, 'a>, check: Check) -> FilterResult {
        let text = || value.string().ok().map(json::Str::to_str);
        let is_safe = |least: i64| {
            let number = value.number().ok().and_then(json::integer);
            number.is_some_and(|number| (least..=SAFE).contains(&number))
        };
        let is_right = match check {
            Check::Text | Check::Id => text().is_some(),
            Check::Word(words) => text().is_some_and(|text| words.contains(&&*text)),
            Check::Integer => value.integer().is_ok(),
            Check::Safe => is_safe(-SAFE),
            Check::Count => is_safe(0),
            Check::Bool => value.bool().is_ok(),
            Check::Any | Check::Unread | Check::Message => true,
            Check::NotNull => !value.is_null(),
            Check::AnyObject => value.object().is_ok(),
            Check::Pointer => {
                text().is_some_and(|text| crate::core::json_patch::steps(&text).is_some())
            }
            Check::TextOr(_) if value.string().is_ok() => true,
            Check::Texts => return self.list(value, None, 0, false),
            Check::TextOr(table) | Check::List(table) => {
                return self.list(value, Some(table), 0, false);
            }
            Check::NonEmpty(table) => return self.list(value, Some(table), 1, false),
            Check::OpenList(table) => return self.list(value, Some(table), 0, true),
            Check::Object(table) => return self.object(value, table, false),
        };
        if !is_right {
            return self.wrong(Some(value), check.expected());
        }
        self.json.push_str(value.raw().as_str());
        Ok(true)
    }

    /// Filters an object of a table. One of another kind is dropped. `open` keeps undeclared
    /// members.
    fn object(&mut self, value: Element<'_, 'a>, table: &EventTable, open: bool) -> FilterResult {
        if value.object().is_err() {
            return self.wrong(Some(value), "object");
        }
        let name =
            value.member(table.tag).and_then(|name| name.string().ok()).map(json::Str::to_str);
        let name = if table.tag.is_empty() { Some("") } else { name.as_deref() };
        let row = table.rows.iter().find(|row| Some(row.name) == name);
        row.map_or(Ok(false), |row| self.members(value, row.members, open))
    }

    /// Filters a nested value. If the value is dropped, the values dropped inside it are not
    /// reported.
    fn inside(
        &mut self,
        step: FilterPathStep<'a>,
        work: impl FnOnce(&mut Self) -> FilterResult,
    ) -> FilterResult {
        let (json, dropped) = (self.json.len(), self.dropped.len());
        self.path.push(step);
        let is_kept = work(self)?;
        if !is_kept {
            self.json.truncate(json);
            self.dropped.truncate(dropped);
            self.dropped.push(Dropped::Unknown(self.pointer()));
        }
        self.path.pop();
        Ok(is_kept)
    }

    /// Filters a list of at least so many strings, or objects of a table.
    fn list(
        &mut self,
        value: Element<'_, 'a>,
        table: Option<&EventTable>,
        least: usize,
        open: bool,
    ) -> FilterResult {
        let Ok(elements) = value.array() else { return self.wrong(Some(value), "array") };
        self.json.push('[');
        let mut count = 0;
        for (at, element) in elements.enumerate() {
            let is_kept = self.inside(FilterPathStep::Index(at), |inside| {
                if count > 0 {
                    inside.json.push(',');
                }
                match table {
                    Some(table) => inside.object(element, table, open),
                    None => inside.value(element, Check::Text),
                }
            })?;
            count += usize::from(is_kept);
        }
        self.json.push(']');
        if count < least { self.wrong(Some(value), "at least one element") } else { Ok(true) }
    }

    fn members(
        &mut self,
        value: Element<'_, 'a>,
        rows: &[EventMemberRow],
        open: bool,
    ) -> FilterResult {
        let mut seen = 0u32;
        self.json.push('{');
        for (name, value) in value.members() {
            let name = name.to_str();
            let known = rows.iter().position(|row| row.name == name);
            let row = known.and_then(|at| rows.get(at));
            // A null that stands for an absent member.
            let null = row.filter(|_| value.is_null()).map_or(Null::Value, |row| row.null);
            if matches!(null, Null::Noted | Null::Legacy) {
                self.path.push(FilterPathStep::Name(name));
                let dropped = match null {
                    Null::Noted => Dropped::WrongNull(self.dotted()),
                    _ => Dropped::Null(self.pointer()),
                };
                self.dropped.push(dropped);
                self.path.pop();
                continue;
            }
            let optional = row.is_none_or(|row| row.may_be_absent);
            let is_kept = self.inside(FilterPathStep::Name(name.clone()), |inside| {
                if !inside.json.ends_with('{') {
                    inside.json.push(',');
                }
                write_string(&name, &mut inside.json);
                inside.json.push(':');
                match row {
                    Some(row) => inside.value(value, row.check),
                    None if open => inside.value(value, Check::Any),
                    None => Ok(false),
                }
            })?;
            if !is_kept && !optional {
                return Ok(false);
            }
            seen |= known.filter(|_| is_kept).map_or(0, |at| 1 << at);
        }
        self.json.push('}');
        for (at, row) in rows.iter().enumerate() {
            if !row.may_be_absent && seen & 1 << at == 0 {
                self.path.push(FilterPathStep::Name(row.name.into()));
                return self.wrong(None, "a value");
            }
        }
        Ok(true)
    }
}

impl FilterPathStep<'_> {
    fn write(&self, out: &mut String) {
        match self {
            FilterPathStep::Name(name) => put(out, name),
            FilterPathStep::Index(at) => push_integer(*at as i64, out),
        }
    }
}

/// Declares the members of an object inside of an event, with the numbers of their fields:
/// `id(1): required Text`.
macro_rules! rows {
    ($($name:ident $(($($number:tt)+))?: $presence:ident $check:expr),* $(,)?) => {
        &[$(
            $crate::core::declare::events::table::EventMemberRow::$presence(stringify!($name), $check)
                $(.numbered($crate::core::declare::events::table::numbered!($($number)+)))?
        ),*]
    };
}
pub(crate) use rows;
