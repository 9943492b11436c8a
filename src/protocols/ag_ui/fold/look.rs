//! The check of an event member by member: members that the official client refuses, drops or translates before it
//! reads. (B.4.)

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::AgUiMeaning;
use crate::core::declare::events::filter::{Dropped, Filter, Filtered};
use crate::core::{DecodeError, Observed, Reading};
use crate::engine::Context;
#[cfg(feature = "hub")]
use crate::json::Value;
use crate::json::{Document, Element, ErrorKind, Str};
use crate::protocols::ag_ui::events::EVENTS;
use crate::protocols::ag_ui::lifecycle::Said;
use crate::protocols::ag_ui::members::member;
use crate::protocols::ag_ui::rules;
use crate::protocols::ag_ui::schema::{Null, filter_of, needed_by, null_of};

/// An event after the check of its members.
pub(super) struct Looked<'d, 'a> {
    pub name: Cow<'a, str>,
    lane: Option<Cow<'a, str>>,
    metadata: Option<Element<'d, 'a>>,
    has_raw_event: bool,
    /// The members that lost a part, with the JSON of the kept rest.
    kept: Vec<(&'static str, String)>,
}

/// The members that all events have.
#[derive(Clone)]
pub(super) struct Looks<'l> {
    pub name: &'l str,
    pub lane: Option<&'l str>,
    pub metadata: Option<Element<'l, 'l>>,
    pub has_raw_event: bool,
}

impl<'l> Looks<'l> {
    pub fn lane(&self) -> Option<&'l str> {
        self.lane
    }

    pub fn said(&self) -> Said<'l> {
        Said { name: self.name, lane: self.lane }
    }

    pub fn without_metadata(&self) -> Self {
        Looks { metadata: None, ..self.clone() }
    }
}

impl Looked<'_, '_> {
    pub fn common(&self) -> Looks<'_> {
        let Looked { name, lane, metadata, has_raw_event, .. } = self;
        Looks { name, lane: lane.as_deref(), metadata: *metadata, has_raw_event: *has_raw_event }
    }

    /// Returns the kept part of a member, as JSON.
    pub fn json<'l>(&'l self, member: &str, value: Element<'_, 'l>) -> Cow<'l, str> {
        match self.kept.iter().find(|(name, _)| *name == member) {
            Some((_, json)) => Cow::Borrowed(json),
            None => Cow::Borrowed(value.raw().as_str()),
        }
    }

    /// Returns the kept part of the request.
    pub fn input(&self) -> Option<&str> {
        self.part("input")
    }

    pub fn outcome(&self) -> Option<&str> {
        self.part("outcome")
    }

    pub fn usage(&self) -> Option<&str> {
        self.part("usage")
    }

    fn part(&self, member: &str) -> Option<&str> {
        self.kept
            .iter()
            .find(|(name, _)| *name == member)
            .map(|(_, json)| &**json)
            .filter(|json| !json.is_empty())
    }

    /// Calls a function with the kept part of a member, if there is one.
    pub fn with<T>(
        &self,
        member: &str,
        value: Option<Element<'_, '_>>,
        work: impl FnOnce(Element<'_, '_>) -> T,
    ) -> Option<T> {
        let Some((_, json)) = self.kept.iter().find(|(name, _)| *name == member) else {
            return value.map(work);
        };
        let document = Document::read(json, u32::MAX).ok()?;
        Some(work(document.root()))
    }
}

/// Checks whether this is an event, without its context. JSON without a type is not an event.
pub(crate) fn check_event(document: &Document<'_>) -> Result<(), DecodeError> {
    let event = EVENTS.read(document.root())?;
    let name = event.name.map(Str::to_str).filter(|name| !name.is_empty());
    let Some(name) = name else { return Err(missing("type")) };
    if event.row.is_none() {
        return Ok(());
    }
    let has = |wanted: &str| wanted.is_empty() || member(event.json, wanted).is_some();
    for (member, value) in event.json.members().filter(|(_, value)| !value.is_null()) {
        if let Some((member, filter)) = filter_of(&name, &member.to_str()) {
            match modern(member, value) {
                Some(json) => drop(Filtered::of(member, read(&json)?.root(), filter)?),
                None => drop(Filtered::of(member, value, filter)?),
            }
        }
    }
    let needed = needed_by(&name);
    let is_endpoints = !event.declares("threadId") && has("threadId") && has("runId");
    match () {
        () if is_endpoints => Ok(()),
        () if !has(needed) => Err(missing(needed)),
        () if name == "TOOL_CALL_RESULT" && !has("content") => Err(missing("content")),
        () => Ok(()),
    }
}

/// Checks that an event has the members that the protocol describes and no others; for writers. Members that the
/// official client would translate or drop are errors, too.
pub(in crate::protocols::ag_ui) fn strict(event: Element<'_, '_>) -> Result<(), DecodeError> {
    let reading = EVENTS.read(event)?;
    let name = reading.name.map(Str::to_str).unwrap_or_default();
    for (member, value) in event.members() {
        let member = member.to_str();
        let wrong = |path: &str, expected: &'static str| {
            let at = value.offset();
            Err(DecodeError::new(crate::json::Error { kind: ErrorKind::WrongType { expected }, at }, path))
        };
        if value.is_null() && !matches!(null_of(&name, &member), Null::Value) {
            return wrong(&member, "optional members to be left out");
        }
        let Some((member, filter)) = filter_of(&name, &member) else { continue };
        if let Some(Dropped::Unknown(path) | Dropped::Null(path) | Dropped::WrongNull(path)) =
            Filtered::of(member, value, filter)?.dropped.first()
        {
            return wrong(path, "members and variants that the protocol describes");
        }
    }
    Ok(())
}

/// Returns an accepted event with the members as received, without those that are not described, and with older
/// spellings replaced by those of 1.0.
#[cfg(feature = "hub")]
pub(crate) fn kept(event: Element<'_, '_>) -> Value {
    let name = member(event, "type").map(Element::words).unwrap_or_default();
    let mut kept = Value::Object(Vec::new());
    for (key, value) in event.members() {
        let key = key.to_str();
        let json = filter_of(&name, &key).filter(|_| !value.is_null()).and_then(|(member, filter)| {
            let filtered = match modern(member, value) {
                Some(json) => Filtered::of(member, read(&json).ok()?.root(), filter),
                None => Filtered::of(member, value, filter),
            };
            filtered.ok().map(|filtered| filtered.json).filter(|json| !json.is_empty())
        });
        let value =
            json.and_then(|json| Value::parse(&json, u32::MAX).ok()).unwrap_or_else(|| Value::of(value));
        kept.insert(&key, value);
    }
    kept
}

fn missing(member: &str) -> DecodeError {
    let wrong = crate::json::Error { kind: ErrorKind::WrongType { expected: "a value" }, at: 0 };
    let mut error = DecodeError::new(wrong, member);
    error.code = "missing-member";
    error
}

/// Returns the spelling of 1.0 for members that older versions wrote differently.
fn modern(member: &str, value: Element<'_, '_>) -> Option<String> {
    matches!(member, "messages" | "input").then(|| super::older_parts::without_binary(value))?
}

fn read(json: &str) -> Result<Document<'_>, DecodeError> {
    Document::read(json, u32::MAX).map_err(|error| DecodeError::new(error, ""))
}

impl AgUiMeaning {
    /// Checks all members. Members that the official client refuses are errors; members that it drops or translates
    /// are reported.
    pub(super) fn look<'d, 'a>(
        &mut self,
        name: &str,
        event: &Reading<'d, 'a>,
        cx: &mut Context<'_>,
    ) -> Result<Looked<'d, 'a>, DecodeError> {
        let name = match event.name.map(Str::to_str) {
            Some(known) => known,
            None => Cow::Owned(name.into()),
        };
        self.look_for_dialect(&name, event, cx);
        let mut looked = Looked { name, lane: None, metadata: None, has_raw_event: false, kept: Vec::new() };
        let needed = needed_by(&looked.name);
        let mut has_needed = needed.is_empty();
        let mut has_content = &*looked.name != "TOOL_CALL_RESULT";
        for (member, value) in event.json.members() {
            let member = member.to_str();
            if member == "type" {
                continue;
            }
            if !event.declares(&member) {
                self.unknown_property(&looked.name, &["/", &member].concat(), cx);
                continue;
            }
            has_needed |= member == needed;
            has_content |= member == "content";
            if value.is_null() {
                self.look_at_null(&looked.name, &member, cx);
                continue;
            }
            match &*member {
                "subagentRunId" => looked.lane = value.string().ok().map(Str::to_str),
                "metadata" => looked.metadata = Some(value),
                "rawEvent" => looked.has_raw_event = true,
                "timestamp" => cx.passed_by(value.raw()),
                _ => {}
            }
            if let Some((member, filter)) = filter_of(&looked.name, &member) {
                self.filter(member, filter, value, &mut looked, cx)?;
            }
        }
        if self.endpoints || has_needed && has_content {
            return Ok(looked);
        }
        Err(missing(if has_needed { "content" } else { needed }))
    }

    fn look_at_null(&mut self, event: &str, member: &str, cx: &mut Context<'_>) {
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

    fn filter<'d, 'a>(
        &mut self,
        member: &'static str,
        filter: &Filter,
        value: Element<'d, 'a>,
        looked: &mut Looked<'d, 'a>,
        cx: &mut Context<'_>,
    ) -> Result<(), DecodeError> {
        let upgraded = modern(member, value);
        let filtered = match &upgraded {
            None => Filtered::of(member, value, filter)?,
            Some(json) => {
                if self.is_first("binary") {
                    cx.breach(&rules::LEGACY_BINARY, Observed::Name("binary"));
                }
                Filtered::of(member, read(json)?.root(), filter)?
            }
        };
        for dropped in &filtered.dropped {
            match dropped {
                Dropped::Unknown(path) => self.unknown_property(&looked.name, path, cx),
                Dropped::Null(path) => {
                    if self.is_first(&[&*looked.name, path].concat()) {
                        cx.breach(&rules::LEGACY_NULL, Observed::Named("null for", path));
                    }
                }
                Dropped::WrongNull(path) => cx.breach(&rules::NULL_MEMBER, Observed::Named("null for", path)),
            }
        }
        let is_small = matches!(member, "input" | "outcome" | "usage");
        if is_small || upgraded.is_some() || !filtered.dropped.is_empty() {
            looked.kept.push((member, filtered.json));
        }
        Ok(())
    }

    /// Reports an unknown property, once for each place.
    fn unknown_property(&mut self, event: &str, path: &str, cx: &mut Context<'_>) {
        if !self.endpoints && self.is_first(&[event, path].concat()) {
            cx.breach(&rules::UNKNOWN_PROPERTY, Observed::Named(UNKNOWN, &[path, " on ", event].concat()));
        }
    }
}

const UNKNOWN: &str = "unknown:";
