//! The check of an event member by member: members that the official client refuses, drops or translates before it
//! reads. (B.4.)

use alloc::{string::String, vec::Vec};

use super::AgUiMeaning;
use crate::core::declare::events::filter::{Dropped, Filtered};
use crate::core::{DecodeError, Observed, Reading};
use crate::engine::Context;
#[cfg(feature = "hub")]
use crate::json::Value;
use crate::json::{Document, Element, ErrorKind};
use crate::protocols::ag_ui::events::{EVENTS, EventKind};
use crate::protocols::ag_ui::lifecycle::{EventHead, HeadMembers};
use crate::protocols::ag_ui::members::member;
use crate::protocols::ag_ui::rules;
use crate::protocols::ag_ui::schema::{Null, filter_of, needed_by, null_of};

/// Members with the JSON of the kept rest.
type Kept = Vec<(&'static str, String)>;

/// An event after the check of its members.
pub(super) struct CheckedEvent<'d, 'a> {
    pub members: HeadMembers<'a>,
    pub metadata: Option<Element<'d, 'a>>,
    /// The members that lost a part, and small ones.
    kept: Kept,
}

impl CheckedEvent<'_, '_> {
    pub fn head(&self) -> EventHead<'_> {
        self.members.head(self.metadata, &[])
    }

    /// Returns the kept part of a member, as JSON.
    pub fn json<'l>(&'l self, member: &str, value: Element<'_, 'l>) -> &'l str {
        self.kept(member).unwrap_or_else(|| value.raw().as_str())
    }

    /// Returns the kept part of a member that lost a part, or of a small one.
    pub fn kept(&self, member: &str) -> Option<&str> {
        self.kept.iter().find(|(name, _)| *name == member).map(|(_, json)| &**json)
    }

    /// Calls a function with the kept part of a member.
    pub fn with<T>(
        &self,
        member: &str,
        value: Option<Element<'_, '_>>,
        work: impl FnOnce(Option<Element<'_, '_>>) -> T,
    ) -> T {
        match self.kept(member).map(|json| Document::read(json, u32::MAX)) {
            None => work(value),
            Some(document) => work(document.ok().as_ref().map(Document::root)),
        }
    }
}

/// A deviation of an event from the members that the protocol describes.
enum Finding<'f> {
    Undeclared(&'f str),
    Null(&'f str),
    /// A part of a member that is dropped.
    Nested(&'f Dropped),
    /// A member in the spelling of an older version.
    Older,
}

/// Checks the members of an event, and returns the kept parts of those that lost a part, and of small ones. `found`
/// receives each deviation with the member's value. `upgrades` replaces the spelling of older versions.
fn inspect(
    event: &Reading<'_, '_>,
    upgrades: bool,
    found: &mut dyn FnMut(Element<'_, '_>, Finding<'_>) -> Result<(), DecodeError>,
) -> Result<Kept, DecodeError> {
    let mut kept = Vec::new();
    let name = EventKind::of(event).map_or("", EventKind::name);
    for (member, value) in event.json.members() {
        let member = member.to_str();
        if member == "type" {
            continue;
        }
        if !event.declares(&member) {
            found(value, Finding::Undeclared(&member))?;
            continue;
        }
        if value.is_null() {
            found(value, Finding::Null(&member))?;
            continue;
        }
        let Some((member, filter)) = filter_of(name, &member) else { continue };
        let older = upgrades && matches!(member, "messages" | "input");
        let upgraded = older.then(|| super::older_parts::without_binary(value)).flatten();
        let filtered = match &upgraded {
            None => Filtered::of(member, value, filter)?,
            Some(json) => {
                found(value, Finding::Older)?;
                let document = Document::read(json, u32::MAX).map_err(|error| DecodeError::new(error, ""))?;
                Filtered::of(member, document.root(), filter)?
            }
        };
        for dropped in &filtered.dropped {
            found(value, Finding::Nested(dropped))?;
        }
        let is_small = matches!(member, "input" | "outcome" | "usage");
        if is_small || upgraded.is_some() || !filtered.dropped.is_empty() {
            kept.push((member, filtered.json));
        }
    }
    Ok(kept)
}

/// Checks that an event has the members that its declaration does not require.
fn check_needed(event: &Reading<'_, '_>) -> Result<(), DecodeError> {
    let Some(kind) = EventKind::of(event) else { return Ok(()) };
    let content = if kind == EventKind::ToolCallResult { "content" } else { "" };
    for name in [needed_by(kind.name()), content] {
        if !name.is_empty() && member(event.json, name).is_none() {
            return Err(missing(name));
        }
    }
    Ok(())
}

fn missing(member: &str) -> DecodeError {
    let wrong = crate::json::Error { kind: ErrorKind::WrongType { expected: "a value" }, at: 0 };
    let mut error = DecodeError::new(wrong, member);
    error.code = "missing-member";
    error
}

/// Returns whether an event has the ids of the thread and the run although AG-UI declares it without them.
pub(super) fn has_extra_ids(event: &Reading<'_, '_>) -> bool {
    let has = |name| member(event.json, name).is_some();
    !event.declares("threadId") && has("threadId") && has("runId")
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

/// Checks that an event has the members that the protocol describes and no others; for writers. Members that the
/// official client would translate or drop are errors, too.
pub(in crate::protocols::ag_ui) fn check_written(event: &Reading<'_, '_>) -> Result<(), DecodeError> {
    let name = EventKind::of(event).map_or("", EventKind::name);
    let checked = inspect(event, false, &mut |value, finding| {
        let (path, expected) = match finding {
            Finding::Null(member) if !matches!(null_of(name, member), Null::Value) => {
                (member, "optional members to be left out")
            }
            Finding::Nested(Dropped::Unknown(path) | Dropped::Null(path) | Dropped::WrongNull(path)) => {
                (&**path, "members and variants that the protocol describes")
            }
            _ => return Ok(()),
        };
        let error = crate::json::Error { kind: ErrorKind::WrongType { expected }, at: value.offset() };
        Err(DecodeError::new(error, path))
    });
    checked.map(drop)
}

/// Returns an accepted event with the members as received, without those that are not described, and with older
/// spellings replaced by those of 1.0.
#[cfg(feature = "hub")]
pub(crate) fn normalized(event: Element<'_, '_>) -> Value {
    let mut value = Value::of(event);
    let kept = EVENTS.read(event).and_then(|event| inspect(&event, true, &mut |_, _| Ok(())));
    for (member, json) in kept.into_iter().flatten() {
        if let Ok(json) = Value::parse(&json, u32::MAX) {
            value.insert(member, json);
        }
    }
    value
}

impl AgUiMeaning {
    /// Checks all members. Members that the official client refuses are errors; members that it drops or translates
    /// are reported.
    pub(super) fn check<'d, 'a>(
        &mut self,
        kind: EventKind,
        event: &Reading<'d, 'a>,
        cx: &mut Context<'_>,
    ) -> Result<CheckedEvent<'d, 'a>, DecodeError> {
        let name = kind.name();
        self.detect_dialect(kind, event, cx);
        let kept = inspect(event, true, &mut |_, finding| {
            match finding {
                Finding::Undeclared(member) => self.unknown_property(name, &["/", member].concat(), cx),
                Finding::Null(member) => self.report_null(name, member, cx),
                Finding::Older if self.is_first("binary") => {
                    cx.breach(&rules::LEGACY_BINARY, Observed::Name("binary"));
                }
                Finding::Nested(Dropped::Unknown(path)) => self.unknown_property(name, path, cx),
                Finding::Nested(Dropped::Null(path)) if self.is_first(&[name, path].concat()) => {
                    cx.breach(&rules::LEGACY_NULL, Observed::Named("null for", path));
                }
                Finding::Nested(Dropped::WrongNull(path)) => {
                    cx.breach(&rules::NULL_MEMBER, Observed::Named("null for", path));
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
        Ok(CheckedEvent { members: HeadMembers::of(kind, event), metadata: event.named("metadata"), kept })
    }

    fn report_null(&mut self, event: &str, member: &str, cx: &mut Context<'_>) {
        match null_of(event, member) {
            Null::Value => {}
            Null::Legacy => {
                if self.is_first(&[event, ".", member].concat()) {
                    cx.breach(&rules::LEGACY_NULL, Observed::Named("null for", member));
                }
            }
            Null::Wrong if self.endpoints && member == "code" => {}
            Null::Wrong => cx.breach(&rules::NULL_MEMBER, Observed::Named("null for", member)),
        }
    }

    /// Reports an unknown property, once for each place.
    fn unknown_property(&mut self, event: &str, path: &str, cx: &mut Context<'_>) {
        if !self.endpoints && self.is_first(&[event, path].concat()) {
            cx.breach(&rules::UNKNOWN_PROPERTY, Observed::Named("unknown:", &[path, " on ", event].concat()));
        }
    }
}
