//! One line of JSON on standard error for each request.

use std::io::{Write as _, stderr};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agentwire::ProtocolKind;
use agentwire::json::Value;

use super::record::{Attempt, RequestRecord};
use super::usage::Usage;

/// Logs a request. A line that cannot be written is lost: the reader of the log has gone.
pub fn write(record: &RequestRecord) {
    let mut line = line(record).to_json();
    line.push('\n');
    drop(stderr().lock().write_all(line.as_bytes()));
}

fn line(record: &RequestRecord) -> Value {
    let facts = record.facts();
    let attempt = facts.attempts.last();
    let end = if facts.is_complete { "complete" } else { "disconnected" };
    Value::from([
        ("time", time(record.time)),
        ("trace", text(record.trace().id().as_deref())),
        ("user", text(record.client().map(|client| client.name()))),
        ("method", record.method.as_str().into()),
        ("path", record.path.as_str().into()),
        ("protocol", text(record.protocol.map(ProtocolKind::as_str))),
        ("requested_model", text(facts.requested_model.as_deref())),
        ("model", text(attempt.and_then(|attempt| attempt.model.as_deref()))),
        ("stream", facts.stream.into()),
        ("status", number(facts.status)),
        ("upstream", number(attempt.and_then(|attempt| attempt.status))),
        ("attempts", Value::Array(facts.attempts.iter().map(attempted).collect())),
        ("first_byte_ms", milliseconds(facts.first_byte)),
        ("duration_ms", milliseconds(Some(record.started.elapsed()))),
        ("events", number(Some(facts.events))),
        ("bytes", number(Some(facts.bytes))),
        ("end", end.into()),
        ("error", text(facts.error.as_deref())),
        ("tokens", facts.usage.as_ref().map_or(Value::Null, tokens)),
        ("cost", facts.cost().map_or(Value::Null, |cost| Value::Number(decimal(cost).into()))),
        ("losses", losses(&facts.losses)),
    ])
}

fn attempted(attempt: &Attempt) -> Value {
    Value::from([
        ("upstream", attempt.upstream.as_str().into()),
        ("model", text(attempt.model.as_deref())),
        ("status", number(attempt.status)),
        ("error", text(attempt.error.as_deref())),
        ("duration_ms", milliseconds(Some(attempt.duration))),
    ])
}

fn tokens(usage: &Usage) -> Value {
    Value::from([
        ("input", number(Some(usage.input))),
        ("cached_input", number(Some(usage.cached_input))),
        ("output", number(Some(usage.output))),
        ("reasoning", number(Some(usage.reasoning))),
    ])
}

fn losses(counts: &[(&'static str, u64)]) -> Value {
    let mut losses = Value::Object(Vec::new());
    counts.iter().for_each(|(kind, count)| losses.insert(kind, number(Some(*count))));
    losses
}

fn time(time: SystemTime) -> Value {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    Value::Number(format!("{}.{:03}", seconds / 1000, seconds % 1000).into())
}

fn text(text: Option<&str>) -> Value {
    text.map_or(Value::Null, Value::from)
}

fn number(number: Option<impl Into<u64>>) -> Value {
    number.map_or(Value::Null, |number| Value::Number(number.into().to_string().into()))
}

fn milliseconds(duration: Option<Duration>) -> Value {
    number(duration.map(|duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)))
}

/// Writes a number with at most nine decimals.
fn decimal(number: f64) -> String {
    let digits = format!("{number:.9}");
    digits.trim_end_matches('0').trim_end_matches('.').into()
}
