//! One line of JSON on standard error for each request.

use std::time::UNIX_EPOCH;

use agentwire::ProtocolKind;
use agentwire::json::Value;

use super::record::RequestRecord;

/// Logs a request.
pub fn write(record: &RequestRecord) {
    eprintln!("{}", line(record));
}

fn line(record: &RequestRecord) -> String {
    let seconds = record.time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let facts = record.facts();
    let attempt = facts.attempts.last();
    let mut losses = Value::Object(Vec::new());
    facts.losses.iter().for_each(|(kind, count)| losses.insert(kind, (*count as i64).into()));
    let text = |text: Option<&str>| text.map_or(Value::Null, Value::from);
    let status = |status: Option<u16>| status.map_or(Value::Null, |it| i64::from(it).into());
    let end = if facts.is_complete { "complete" } else { "disconnected" };
    Value::from([
        ("time", Value::Number(format!("{}.{:03}", seconds / 1000, seconds % 1000).into())),
        ("method", record.method.as_str().into()),
        ("path", record.path.as_str().into()),
        ("protocol", text(record.protocol.map(ProtocolKind::as_str))),
        ("model", text(attempt.and_then(|attempt| attempt.model.as_deref()))),
        ("status", status(facts.status)),
        ("upstream", status(attempt.and_then(|attempt| attempt.status))),
        ("duration_ms", (record.started.elapsed().as_millis() as i64).into()),
        ("events", (facts.events as i64).into()),
        ("bytes", (facts.bytes as i64).into()),
        ("end", end.into()),
        ("error", text(facts.error.as_deref())),
        ("losses", losses),
    ])
    .to_json()
}
