//! The builder of AG-Kit's turns, driven by a list of calls.

use std::collections::BTreeMap;

use agentwire::ag_kit::builder::StreamBuilder;
use agentwire::ag_kit::{AgKit, Snapshot};
use agentwire::json::Value;
use agentwire::read::{Mode, ReadOptions};
use agentwire::{EndReason, Reader};

use crate::building;
use crate::corpus::Corpus;
use crate::tape::Tape;

/// The accepted content, in the form of the reader.
#[derive(Debug, Default, PartialEq)]
struct Content {
    text: String,
    /// By id: name, arguments, result.
    calls: BTreeMap<String, (String, String, Option<String>)>,
    /// Id, reason and payload.
    interrupts: Vec<(String, Option<String>, Value)>,
    error: Option<String>,
}

/// - For any calls in any order, the events, with those of `finish_with`, are a turn in which a
///   strict reader finds no
///   violation, except that arguments may not be JSON.
/// - The reader has all content of the accepted calls, and nothing of the rejected ones (a
///   rejection with side effects).
pub fn check(input: &[u8]) {
    let mut tape = Tape(input);
    let mut builder = StreamBuilder::new();
    let (mut made, mut stream) = (Content::default(), String::new());
    while !tape.is_done() {
        let id = tape.one_of(IDS).to_owned();
        let text = tape.text();
        let event = match tape.below(12) {
            0..=2 => builder.text(&text).inspect(|_| made.text += &text),
            3 | 4 => builder.tool_call_start(&id, &text).inspect(|_| {
                made.calls.insert(id, (text, String::new(), None));
            }),
            5 | 6 => builder.tool_call_args(&id, &text).inspect(|_| {
                made.calls.entry(id).and_modify(|call| call.1 += &text);
            }),
            7 => builder.tool_call_end(&id),
            8 => builder.tool_result(&id, &text).inspect(|_| {
                made.calls.entry(id).and_modify(|call| call.2 = Some(text));
            }),
            9 if tape.below(8) == 0 => {
                let reason = tape.flag().then(|| tape.text());
                builder.interrupt(&id, reason.as_deref(), tape.value(3)).inspect(|event| {
                    // A repeated key is written twice, and read once; a missing reason is
                    // generated.
                    let sent = Value::parse(event.json(), 128).expect("an event");
                    let payload = sent.get("payload").expect("its payload").clone();
                    let said = sent.get("reason").and_then(Value::as_str).map(str::to_owned);
                    assert!(reason.is_none() || said == reason, "{}", event.json());
                    made.interrupts.push((id, said, payload));
                })
            }
            10 if tape.below(8) == 0 => builder.error(&text).inspect(|_| made.error = Some(text)),
            11 if tape.below(8) == 0 => builder.done(),
            _ => continue,
        };
        match event {
            Ok(event) => stream += &event.to_sse(),
            Err(misuse) => {
                assert!(!misuse.problem.is_empty() && !misuse.instead.is_empty(), "{misuse}")
            }
        }
    }
    let error = tape.flag().then_some("the end");
    for event in builder.finish_with(error) {
        stream += &event.to_sse();
    }
    assert!(builder.is_ended() && builder.finish_with(Some("again")).is_empty());

    let mut options = ReadOptions::default();
    options.mode = Mode::Strict;
    let mut reader = Reader::with_options(AgKit::default(), options);
    reader.push(stream.as_bytes());
    let outcome = reader.finish();
    let wrong: Vec<_> =
        outcome.report.counts.iter().filter(|(rule, _)| *rule != "arguments-not-json").collect();
    assert!(wrong.is_empty(), "{wrong:?} in\n{stream}");
    assert_eq!(outcome.report.end_reason, EndReason::Terminal, "{stream}");
    let mut received = content_of(&outcome.snapshot);
    if made.error.is_none() {
        // The error that `finish_with` adds.
        received.error = None;
    }
    assert_eq!(received, made, "{stream}");
}

/// Programs of every length.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    building::seeds(corpus)
}

fn content_of(turn: &Snapshot) -> Content {
    let call = |call: &agentwire::ag_kit::ToolCall| {
        let said = (call.tool_call_name.clone(), call.arguments.clone(), call.result.clone());
        (call.tool_call_id.clone(), said)
    };
    Content {
        text: turn.text(),
        calls: turn.tool_calls().map(call).collect(),
        interrupts: turn
            .interrupts()
            .map(|i| (i.id.clone(), i.reason.clone(), i.payload.clone()))
            .collect(),
        error: turn.error.as_ref().map(|error| error.message.clone()),
    }
}

const IDS: &[&str] = &["c1", "c2", "c1", "c3", "", "\u{2028}\"\\", "c2"];
