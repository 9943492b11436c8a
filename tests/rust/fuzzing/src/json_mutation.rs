//! Mutations of streams that remain JSON: events and values are changed, moved, repeated or
//! removed.

use agentwire::json::{Member, Value};

use crate::random::Random;

/// Placeholders for lone surrogates, which a string cannot contain, and the escapes that replace
/// them.
const HALVES: [(char, &str); 2] = [('\u{e000}', "\\ud83d"), ('\u{e001}', "\\ude00")];

/// Enumeration values of the protocols, and other texts.
const TEXTS: &[&str] = &[
    "",
    "x",
    "c",
    "[DONE]",
    "{}",
    "[]",
    "null",
    "{\"a\":",
    "completed",
    "in_progress",
    "failed",
    "incomplete",
    "message",
    "function_call",
    "function_call_output",
    "mcp_call",
    "mcp_approval_request",
    "mcp_approval_response",
    "reasoning",
    "text",
    "data",
    "assistant",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_FAILED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "你好",
    "a\u{e000}",
    "\u{e000}",
    "\u{e001}b",
    "\u{e001}",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "0.5",
    "1e400",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
];

/// Returns the stream after one to six mutations; added events are taken from `streams`.
pub fn mutated(stream: &[u8], streams: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut events = events(stream);
    for _ in 0..=random.below(6) {
        step(&mut events, streams, random);
    }
    let mut out = String::new();
    for event in events {
        match event {
            Event::Json(value) => {
                let mut json = value.to_json();
                for (mark, escape) in HALVES {
                    json = json.replace(mark, escape);
                }
                out += "data: ";
                out += &json;
            }
            Event::Other(text) => out += &text,
        }
        out += "\n\n";
    }
    out.into_bytes()
}

#[derive(Clone, Debug)]
enum Event {
    Json(Value),
    Other(String),
}

fn events(stream: &[u8]) -> Vec<Event> {
    let text = String::from_utf8_lossy(stream).replace("\r\n", "\n");
    let blocks = text.split("\n\n").filter(|block| !block.is_empty());
    blocks
        .map(|block| {
            let data = block.lines().find_map(|line| line.strip_prefix("data:"));
            let value = data.and_then(|data| Value::parse(data, 100).ok());
            value.map_or_else(|| Event::Other(block.to_owned()), Event::Json)
        })
        .collect()
}

fn step(events: &mut Vec<Event>, streams: &[Vec<u8>], random: &mut Random) {
    let (at, other) = (random.below(events.len()), random.below(events.len()));
    if events.is_empty() {
        return;
    }
    match random.below(16) {
        0 => drop(events.remove(at)),
        1 => events.insert(at, events[other].clone()),
        2 => events.swap(at, other),
        3 => {
            let foreign = self::events(&streams[random.below(streams.len())]);
            if !foreign.is_empty() {
                events.insert(at, random.one_of(&foreign).clone());
            }
        }
        4 if random.once_in(4) => events.truncate(at),
        // The same delta several times, as in a stream of deltas.
        5 => (0..random.below(5)).for_each(|_| events.insert(at, events[at].clone())),
        6 | 7 => {
            if let (Some(value), Event::Json(into)) =
                (value_of(&events[other], random), &mut events[at])
            {
                change(into, random, |slot, _| *slot = value);
            }
        }
        _ => {
            if let Event::Json(value) = &mut events[at] {
                change(value, random, change_value);
            }
        }
    }
}

/// A value of an event.
fn value_of(event: &Event, random: &mut Random) -> Option<Value> {
    let Event::Json(value) = event else { return None };
    let (mut value, mut found) = (value.clone(), None);
    change(&mut value, random, |slot, _| found = Some(slot.clone()));
    found
}

/// Changes a random value inside of this one, or the value itself.
fn change(value: &mut Value, random: &mut Random, how: impl FnOnce(&mut Value, &mut Random)) {
    let mut at = random.below(count(value));
    let mut how = Some(how);
    visit(value, &mut at, &mut |slot| {
        if let Some(how) = how.take() {
            how(slot, random);
        }
    });
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.iter().map(|member| count(&member.value)).sum::<usize>(),
        _ => 0,
    }
}

/// Calls `found` with the value after `left` others.
fn visit(value: &mut Value, left: &mut usize, found: &mut dyn FnMut(&mut Value)) -> bool {
    if *left == 0 {
        found(value);
        return true;
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| visit(item, left, found)),
        Value::Object(members) => {
            members.iter_mut().any(|member| visit(&mut member.value, left, found))
        }
        _ => false,
    }
}

fn change_value(slot: &mut Value, random: &mut Random) {
    match (random.below(4), &mut *slot) {
        (0 | 1, Value::Object(members)) if !members.is_empty() => {
            let at = random.below(members.len());
            match random.below(4) {
                0 => drop(members.remove(at)),
                1 => {
                    // The same key once more.
                    let Member { key, .. } = members[at].clone();
                    members.push(Member { key, value: any_value(random) });
                }
                2 => {
                    let other = random.below(members.len());
                    let value = members[other].value.clone();
                    members[at].value = value;
                }
                _ => members[at].value = any_value(random),
            }
        }
        (0 | 1, Value::Array(items)) if !items.is_empty() => {
            let at = random.below(items.len());
            match random.below(3) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[at].clone()),
                _ => items[at] = any_value(random),
            }
        }
        (2, Value::String(text)) => {
            // A lone surrogate at its end.
            let mark = HALVES[random.below(2)].0;
            let at = if random.once_in(2) { 0 } else { text.len() };
            text.insert(at, mark);
        }
        _ => *slot = any_value(random),
    }
}

fn any_value(random: &mut Random) -> Value {
    match random.below(9) {
        0 => Value::Null,
        1 => Value::Bool(random.once_in(2)),
        2 | 3 => Value::Number((*random.one_of(NUMBERS)).into()),
        4 => Value::Array(Vec::new()),
        5 => Value::Object(Vec::new()),
        6 => Value::Array(vec![any_value(random)]),
        _ => Value::String((*random.one_of(TEXTS)).to_owned()),
    }
}
