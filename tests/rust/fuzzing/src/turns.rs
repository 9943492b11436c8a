//! The writer of AG-Kit's events, driven by a list of events.

use std::collections::BTreeMap;

use agentwire::ag_kit::events::Event;
use agentwire::ag_kit::{AgKit, Snapshot};
use agentwire::json::Value;
use agentwire::read::{Mode, ReadOptions};
use agentwire::write::EventWriter;
use agentwire::{EndReason, Reader, Severity};

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

impl Content {
    /// Adds the content of a written event. A repeated key of JSON is written twice and read once.
    fn add(&mut self, event: &Event<'_>, json: &str) {
        match event {
            Event::Text { content } => self.text += content,
            Event::ToolCallStart { tool_call_id: id, tool_call_name: name } => {
                self.calls.insert(id.to_string(), (name.to_string(), String::new(), None));
            }
            Event::ToolCallArgs { tool_call_id: id, delta } => {
                self.calls.entry(id.to_string()).and_modify(|call| call.1 += delta);
            }
            Event::ToolResult { tool_call_id: id, result } => {
                self.calls
                    .entry(id.to_string())
                    .and_modify(|call| call.2 = Some(result.to_string()));
            }
            Event::Interrupt { id, reason, .. } => {
                let sent = Value::parse(json, 128).expect("an event");
                let payload = sent.get("payload").expect("its payload").clone();
                let reason = reason.as_ref().map(ToString::to_string);
                self.interrupts.push((id.to_string(), reason, payload));
            }
            Event::Error { message, .. } => self.error = Some(message.to_string()),
            _ => {}
        }
    }
}

/// - For any events in any order, the written ones, with an error before the end if a call is open,
///   are a turn in which a strict reader finds no violation but notes.
/// - The reader has all content of the written events, and nothing of the refused ones (a refusal
///   with side effects).
pub fn check(input: &[u8]) {
    let mut tape = Tape(input);
    let mut out = EventWriter::new(AgKit::default()).expect("no options");
    let (mut made, mut stream) = (Content::default(), String::new());
    while !tape.is_done() {
        let (id, text) = (tape.one_of(IDS), tape.text());
        let event = match tape.below(12) {
            0..=2 => Event::Text { content: (&*text).into() },
            3 | 4 => {
                Event::ToolCallStart { tool_call_id: id.into(), tool_call_name: (&*text).into() }
            }
            5 | 6 => Event::ToolCallArgs { tool_call_id: id.into(), delta: (&*text).into() },
            7 => Event::ToolCallEnd { tool_call_id: id.into() },
            8 => Event::ToolResult { tool_call_id: id.into(), result: (&*text).into() },
            9 if tape.below(8) == 0 => {
                let reason = tape.flag().then(|| (&*text).into());
                Event::Interrupt { id: id.into(), reason, payload: tape.value(3) }
            }
            10 if tape.below(8) == 0 => Event::Error { message: (&*text).into(), details: None },
            11 if tape.below(8) == 0 => Event::Done,
            _ => continue,
        };
        match out.write(&event) {
            Ok(written) => {
                stream += written.as_sse();
                made.add(&event, written.json());
            }
            Err(refused) => assert!(!refused.violation.got.is_empty(), "{refused}"),
        }
    }
    if out.finish().is_err() {
        let error = Event::Error { message: "the end".into(), details: None };
        stream += out.write(&error).expect("an error cuts the calls off").as_sse();
        made.error = Some("the end".to_owned());
        stream.extend(out.finish().expect("the end").map(|event| event.into_sse()));
    } else if !stream.ends_with("data: [DONE]\n\n") {
        stream += "data: [DONE]\n\n";
    }
    assert!(out.finish().expect("the end").is_none() && out.write(&Event::Done).is_err());

    let mut options = ReadOptions::default();
    options.mode = Mode::Strict;
    let mut reader = Reader::with_options(AgKit::default(), options);
    reader.push(stream.as_bytes());
    let outcome = reader.finish();
    // Notes are written.
    let mut found = outcome.report.violations.iter();
    let wrong = found.find(|found| found.rule.severity > Severity::Note);
    assert!(wrong.is_none(), "{wrong:?} in\n{stream}");
    assert_eq!(outcome.report.end_reason, EndReason::Terminal, "{stream}");
    assert_eq!(content_of(&outcome.snapshot), made, "{stream}");
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
