//! The check of an event member by member: members that the official client refuses, drops or
//! translates before it reads. (B.4.)

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::AgUiFold;
use crate::core::declare::events::filter::{Dropped, Filtered};
use crate::core::declare::events::form::Null;
use crate::core::declare::events::table::EventMemberRow;
use crate::core::{DecodeError, EventReading, Observed};
use crate::engine::Context;
#[cfg(feature = "hub")]
use crate::json::Value;
use crate::json::{Document, Element, JsonErrorKind, Str};
use crate::protocols::ag_ui::events::{EVENTS, EventKind};
use crate::protocols::ag_ui::lifecycle::{EventHead, HeadMembers, MessageHead};
use crate::protocols::ag_ui::rules;

/// The members that lost a part, with the JSON of the rest.
type ReducedMembers = Vec<(&'static str, String)>;

/// An event after the check of its members.
pub(super) struct CheckedEvent<'e> {
    pub event: &'e EventReading<'e, 'e>,
    pub members: HeadMembers<'e>,
    pub metadata: Option<Element<'e, 'e>>,
    /// The rests of the members that lost a part; `None` if nothing is left.
    pub reduced: &'e [(&'static str, Option<Document<'e>>)],
    /// The messages of a snapshot or a request.
    pub messages: Vec<MessageHead<'e>>,
}

impl<'e> CheckedEvent<'e> {
    pub fn head(&self) -> EventHead<'_> {
        self.members.head(self.metadata, &self.messages)
    }

    /// Returns the text of a member, which is empty if the member is absent.
    pub fn text(&self, member: &str) -> Cow<'e, str> {
        self.event.text(member).map(Str::to_str).unwrap_or_default()
    }

    /// Returns the value of a member, without the parts that it lost.
    pub fn value(&self, member: &str) -> Option<Element<'e, 'e>> {
        match self.reduced.iter().find(|(name, _)| *name == member) {
            Some((_, rest)) => rest.as_ref().map(Document::root),
            None => self.event.named(member),
        }
    }
}

/// A deviation of an event from the members that the protocol describes.
enum Finding<'f> {
    Undeclared(&'f str),
    Null(&'static EventMemberRow),
    /// A part of a member that is dropped.
    Nested(&'f Dropped),
    /// A member in the spelling of an older version.
    Older,
}

/// Checks the members of an event, and returns the kept parts of those that lost a part. `found`
/// receives each deviation with the member's value. `upgrades` replaces the spelling of older
/// versions.
fn inspect(
    event: &EventReading<'_, '_>,
    upgrades: bool,
    found: &mut dyn FnMut(Element<'_, '_>, Finding<'_>) -> Result<(), DecodeError>,
) -> Result<ReducedMembers, DecodeError> {
    let mut reduced = Vec::new();
    for (member, value) in event.json.members() {
        let member = member.to_str();
        if member == "type" {
            continue;
        }
        let Some(row) = event.member(&member) else {
            found(value, Finding::Undeclared(&member))?;
            continue;
        };
        if value.is_null() {
            found(value, Finding::Null(row))?;
            continue;
        }
        let (member, Some(&check)) = (row.name, row.inside) else { continue };
        let older = upgrades && matches!(member, "messages" | "input");
        let upgraded = older.then(|| super::dialects::without_binary(value)).flatten();
        let filtered = match &upgraded {
            None => Filtered::of(member, value, check)?,
            Some(json) => {
                found(value, Finding::Older)?;
                let document =
                    Document::read(json, u32::MAX).map_err(|error| DecodeError::new(error, ""))?;
                Filtered::of(member, document.root(), check)?
            }
        };
        for dropped in &filtered.dropped {
            found(value, Finding::Nested(dropped))?;
        }
        if upgraded.is_some() || !filtered.dropped.is_empty() {
            reduced.push((member, filtered.json));
        }
    }
    Ok(reduced)
}

/// Checks that an event has the members that its declaration does not require.
fn check_needed(event: &EventReading<'_, '_>) -> Result<(), DecodeError> {
    let is_missing = |row: &&EventMemberRow| row.is_needed && event.json.member(row.name).is_none();
    event.members().iter().find(is_missing).map_or(Ok(()), |row| Err(missing(row.name)))
}

fn missing(member: &str) -> DecodeError {
    let wrong =
        crate::json::Error { kind: JsonErrorKind::WrongType { expected: "a value" }, at: 0 };
    let mut error = DecodeError::new(wrong, member);
    error.code = "missing-member";
    error
}

/// Returns whether an event has the ids of the thread and the run although AG-UI declares it
/// without them.
pub(super) fn has_extra_ids(event: &EventReading<'_, '_>) -> bool {
    let has = |name| event.json.member(name).is_some();
    event.member("threadId").is_none() && has("threadId") && has("runId")
}

/// Checks whether this is an event, without its context. JSON without a type is not an event.
pub(crate) fn check_event(document: &Document<'_>) -> Result<(), DecodeError> {
    let event = EVENTS.read(document.root())?;
    if event.name.is_none_or(|name| name.to_str().is_empty()) {
        return Err(missing("type"));
    }
    inspect(&event, true, &mut |_, _| Ok(()))?;
    if has_extra_ids(&event) { Ok(()) } else { check_needed(&event) }
}

/// Checks that an event has the members that the protocol describes and no others, for a writer.
/// Members that the official client would translate or drop are errors, too.
#[cfg(feature = "hub")]
pub(in crate::protocols::ag_ui) fn check_written(
    event: &EventReading<'_, '_>,
) -> Result<(), DecodeError> {
    let checked = inspect(event, false, &mut |value, finding| {
        let (path, expected) = match finding {
            Finding::Null(row) if !is_value(row) => (row.name, "optional members to be left out"),
            Finding::Nested(
                Dropped::Unknown(path) | Dropped::Null(path) | Dropped::WrongNull(path),
            ) => (&**path, "members and variants that the protocol describes"),
            _ => return Ok(()),
        };
        let error =
            crate::json::Error { kind: JsonErrorKind::WrongType { expected }, at: value.offset() };
        Err(DecodeError::new(error, path))
    });
    checked.map(drop)
}

/// Whether null is a value of the member: of free JSON that the protocol requires.
fn is_value(row: &EventMemberRow) -> bool {
    row.null == Null::Absent && row.inside.is_none()
}

/// Returns an accepted event with the members as received, without those that are not described,
/// and with older spellings replaced by those of 1.0.
#[cfg(feature = "hub")]
pub(crate) fn normalized(event: Element<'_, '_>) -> Value {
    let mut value = Value::of(event);
    let reduced = EVENTS.read(event).and_then(|event| inspect(&event, true, &mut |_, _| Ok(())));
    for (member, json) in reduced.into_iter().flatten() {
        if let Ok(json) = Value::parse(&json, u32::MAX) {
            value.insert(member, json);
        }
    }
    value
}

impl AgUiFold {
    /// Checks all members. Members that the official client refuses are errors; members that it
    /// drops or translates are reported.
    pub(super) fn check(
        &mut self,
        kind: EventKind,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) -> Result<ReducedMembers, DecodeError> {
        let name = kind.name();
        self.detect_dialect(kind, event, cx);
        let reduced = inspect(event, true, &mut |_, finding| {
            match finding {
                Finding::Undeclared(member) => {
                    self.unknown_property(name, &["/", member].concat(), cx)
                }
                Finding::Null(row) => self.report_null(name, row, cx),
                Finding::Older if self.is_first("binary") => {
                    cx.record(&rules::LEGACY_BINARY, Observed::Name("binary"));
                }
                Finding::Nested(Dropped::Unknown(path)) => self.unknown_property(name, path, cx),
                Finding::Nested(Dropped::Null(path)) if self.is_first(&[name, path].concat()) => {
                    cx.record(&rules::LEGACY_NULL, Observed::Named("null for", path));
                }
                Finding::Nested(Dropped::WrongNull(path)) => {
                    cx.record(&rules::NULL_MEMBER, Observed::Named("null for", path));
                }
                Finding::Older | Finding::Nested(_) => {}
            }
            Ok(())
        })?;
        if !self.endpoints {
            check_needed(event)?;
        }
        if let Some(timestamp) = event.named("timestamp") {
            cx.passed_by(timestamp.raw());
        }
        Ok(reduced)
    }

    fn report_null(&mut self, event: &str, row: &EventMemberRow, cx: &mut Context<'_>) {
        let member = row.name;
        match row.null {
            _ if is_value(row) => {}
            Null::Legacy => {
                if self.is_first(&[event, ".", member].concat()) {
                    cx.record(&rules::LEGACY_NULL, Observed::Named("null for", member));
                }
            }
            _ if self.endpoints && member == "code" => {}
            _ => cx.record(&rules::NULL_MEMBER, Observed::Named("null for", member)),
        }
    }

    /// Reports an unknown property, once for each place.
    fn unknown_property(&mut self, event: &str, path: &str, cx: &mut Context<'_>) {
        if !self.endpoints && self.is_first(&[event, path].concat()) {
            cx.record(
                &rules::UNKNOWN_PROPERTY,
                Observed::Named("unknown:", &[path, " on ", event].concat()),
            );
        }
    }
}
