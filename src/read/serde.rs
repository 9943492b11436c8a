//! Serde implementations for the results of reading. Reports and violations are deserialized here,
//! where the rules of all protocols are known.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::native::{AnyOutcome, AnySnapshot};
use super::reader::Outcome;
use crate::core::report::{EndReason, Report};
use crate::core::violation::{Location, Rule, Violation};
use crate::json::Value;
use crate::protocols::ProtocolKind;

/// Returns the rule of that name in one of these protocols; of several, the one with the same
/// expectation.
fn rule<E: Error>(
    id: &str,
    expected: Option<&str>,
    of: &[ProtocolKind],
) -> Result<&'static Rule, E> {
    let named = || {
        let all = of.iter().flat_map(|protocol| protocol.rules());
        all.copied().filter(|rule| rule.id == id)
    };
    let same = named().find(|rule| expected == Some(rule.expected)).or_else(|| named().next());
    same.ok_or_else(|| E::custom(format!("this build has no rule `{id}`")))
}

/// Returns a member of an object; `None` if it is null.
fn member<'de, T: Deserialize<'de>, E: Error>(value: &Value, name: &str) -> Result<Option<T>, E> {
    match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => T::deserialize(value.clone())
            .map(Some)
            .map_err(|error| E::custom(format!("{name}: {error}"))),
    }
}

fn required<'de, T: Deserialize<'de>, E: Error>(value: &Value, name: &'static str) -> Result<T, E> {
    member(value, name)?.ok_or_else(|| E::missing_field(name))
}

fn violation<E: Error>(value: &Value, of: &[ProtocolKind]) -> Result<Violation, E> {
    let id: String = required(value, "rule")?;
    let expected = value.get("expected").and_then(Value::as_str);
    let at = Location {
        event: required(value, "event")?,
        offset: required(value, "offset")?,
        message_id: member(value, "messageId")?,
        index: member(value, "index")?,
    };
    Ok(Violation { rule: rule(&id, expected, of)?, at, got: required(value, "got")? })
}

fn report<E: Error>(value: &Value, of: &[ProtocolKind]) -> Result<Report, E> {
    let violations = member::<Vec<Value>, _>(value, "violations")?.unwrap_or_default();
    let violations: Result<_, E> = violations.iter().map(|value| violation(value, of)).collect();
    let mut report = Report::of_violations(violations?);
    report.end_reason = member::<EndReason, _>(value, "ended")?.unwrap_or_default();
    report.events = member(value, "events")?.unwrap_or_default();
    report.comments = member(value, "comments")?.unwrap_or_default();
    report.bytes = member(value, "bytes")?.unwrap_or_default();
    for (id, count) in counts(value, "counts")? {
        report.counts.push((rule(&id, None, of)?.id, count));
    }
    report.unknown = counts(value, "unknown")?;
    report.unfinished = member(value, "unfinished")?.unwrap_or_default();
    report.last_event_id = member(value, "lastEventId")?;
    report.retry = member(value, "retry")?;
    Ok(report)
}

impl<'de> Deserialize<'de> for Violation {
    /// Deserializes the members that it is serialized as. The rule has to be one of a protocol that
    /// this build has; if several have it, the first one with the same `expected` is used.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        violation(&Value::deserialize(deserializer)?, ProtocolKind::READABLE)
    }
}

impl<'de> Deserialize<'de> for Report {
    /// Deserializes the members that it is serialized as, each violation as [`Violation`] is.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        report(&Value::deserialize(deserializer)?, ProtocolKind::READABLE)
    }
}

/// Returns numbers by name, in their order.
fn counts<E: Error>(value: &Value, name: &str) -> Result<Vec<(String, u64)>, E> {
    let Some(Value::Object(members)) = value.get(name) else { return Ok(Vec::new()) };
    let count = |count: &Value| {
        u64::deserialize(count.clone()).map_err(|error| E::custom(format!("{name}: {error}")))
    };
    members.iter().map(|member| Ok((member.key.to_owned(), count(&member.value)?))).collect()
}

impl<P: Serialize> Serialize for Outcome<P> {
    /// Serializes `snapshot` and `report`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Outcome", 2)?;
        object.serialize_field("snapshot", &self.snapshot)?;
        object.serialize_field("report", &self.report)?;
        object.end()
    }
}

impl<'de, P: Deserialize<'de>> Deserialize<'de> for Outcome<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(Outcome { snapshot: required(&value, "snapshot")?, report: required(&value, "report")? })
    }
}

impl Serialize for ProtocolKind {
    /// Serializes its name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ProtocolKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = ProtocolKind::READABLE.iter().find(|kind| kind.as_str() == name);
        known.copied().ok_or_else(|| Error::custom(format!("there is no protocol `{name}`")))
    }
}

/// Serializes `protocol` and `snapshot`, and `report` if there is one.
fn serialize_any<S: Serializer>(
    snapshot: &AnySnapshot,
    report: Option<&Report>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut object =
        serializer.serialize_struct("AnySnapshot", 2 + usize::from(report.is_some()))?;
    object.serialize_field("protocol", &snapshot.protocol())?;
    object.serialize_field("snapshot", &snapshot.whole())?;
    if let Some(report) = report {
        object.serialize_field("report", report)?;
    }
    object.end()
}

impl Serialize for AnySnapshot {
    /// Serializes `protocol` and `snapshot`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_any(self, None, serializer)
    }
}

impl<'de> Deserialize<'de> for AnySnapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let protocol = required(&value, "protocol")?;
        AnySnapshot::of(protocol, required(&value, "snapshot")?).map_err(Error::custom)
    }
}

impl Serialize for AnyOutcome {
    /// Serializes `protocol`, `snapshot` and `report`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_any(&self.snapshot, Some(&self.report), serializer)
    }
}

impl<'de> Deserialize<'de> for AnyOutcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let protocol = required(&value, "protocol")?;
        let snapshot =
            AnySnapshot::of(protocol, required(&value, "snapshot")?).map_err(Error::custom)?;
        let found: Value = required(&value, "report")?;
        Ok(AnyOutcome { snapshot, report: report(&found, &[protocol])? })
    }
}
