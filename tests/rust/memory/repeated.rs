//! Streams that repeat one event: each kind of event, item and part of the recordings, unchanged
//! and with different names and indices.

use std::collections::BTreeSet;

use agentwire::ProtocolKind;
use agentwire::read::AnyOptions;
use agentwire_cases::{Kind, all as cases};
use serde_json::Value;

use crate::Stream;
use crate::items::{ITEMS, head};

/// The size of the repetitions in bytes, and their maximum number.
const LENGTH: usize = 16 << 10;
const TIMES: usize = 200;

pub fn all() -> impl Iterator<Item = Stream> {
    recorded().into_iter().chain(items())
}

/// Each recording unchanged; and each kind of event of a recording, after the events before it.
fn recorded() -> Vec<Stream> {
    let (mut streams, mut known) = (Vec::new(), BTreeSet::new());
    for case in cases().into_iter().filter(|case| case.kind == Kind::Read && !case.is_binary()) {
        let Some(protocol) =
            ProtocolKind::READABLE.iter().copied().find(|kind| kind.as_str() == case.protocol)
        else {
            continue;
        };
        let stream = |name: String, bytes: Vec<u8>| {
            let name = format!("{} {} {name}", case.protocol, case.name);
            Stream { name, protocol, options: AnyOptions::default(), bytes }
        };
        let bytes = case.stream();
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        let mut before = 0;
        for block in text.split_inclusive("\n\n") {
            let data = block.lines().find_map(|line| line.strip_prefix("data:"));
            if let Some(event) = data.and_then(|data| serde_json::from_str::<Value>(data).ok())
                && block.len() < LENGTH / 2
                && before < LENGTH
            {
                let mut kind = case.protocol.clone();
                describe(&event, &mut kind);
                if known.insert(kind) {
                    let head = &text[..before];
                    streams
                        .push(stream(format!("again {before}"), repeated(head, &event, |_, _| {})));
                    streams
                        .push(stream(format!("anew {before}"), repeated(head, &event, renumber)));
                }
            }
            before += block.len();
        }
        streams.push(stream(String::new(), bytes));
    }
    streams
}

/// Each item of a response: added once, with an event repeated; and added again and again.
fn items() -> impl Iterator<Item = Stream> {
    ITEMS.iter().flat_map(|(item, event)| {
        let (head, added) = head(item);
        let event = format!(r#"{{"output_index":0,"item_id":"i",{event}}}"#);
        let done = added.replace("added", "done");
        let one_item = |value: &mut Value, at: usize| {
            renumber(value, at);
            value["output_index"] = 0.into();
            value["item_id"] = "i".into();
        };
        let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        [
            ("of one item", repeated(&head, &json(&event), one_item)),
            ("of many items", repeated(&head, &json(&event), renumber)),
            ("added", repeated(&head, &json(&added), renumber)),
            ("done", repeated(&head, &json(&done), |_, _| {})),
        ]
        .map(|(how, bytes)| Stream {
            name: format!("{how}: {event}"),
            protocol: ProtocolKind::Responses,
            options: AnyOptions::default(),
            bytes,
        })
    })
}

/// An event over and over, changed each time.
fn repeated(head: &str, event: &Value, change: impl Fn(&mut Value, usize)) -> Vec<u8> {
    let mut out = head.to_owned();
    for at in 1..=TIMES {
        if out.len() > head.len() + LENGTH {
            break;
        }
        let mut event = event.clone();
        change(&mut event, at);
        out += &format!("data: {event}\n\n");
    }
    out.into_bytes()
}

/// Appends a description of an event: the enumeration values of its objects and the names of its
/// nested members.
fn describe(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(word)
                        if ["type", "object", "kind", "role", "status", "state"]
                            .contains(&&**name) =>
                    {
                        *out += &format!(" {name} {word}");
                    }
                    Value::Object(_) | Value::Array(_) => {
                        *out += &format!(" {name}");
                        describe(value, out);
                    }
                    _ => {}
                }
            }
        }
        Value::Array(items) => items.iter().take(1).for_each(|item| describe(item, out)),
        _ => {}
    }
}

/// Gives each repetition different ids and indices.
fn renumber(value: &mut Value, at: usize) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let is_id = ["id", "Id"].iter().any(|end| name.ends_with(end));
                match value {
                    Value::String(id) if is_id => *id += &at.to_string(),
                    Value::Number(number) if name.ends_with("index") => *number = at.into(),
                    value => renumber(value, at),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| renumber(item, at)),
        _ => {}
    }
}
