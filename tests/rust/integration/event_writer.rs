//! The writer of single events: it writes what a reader takes without a violation, refuses anything
//! else, and a refused event changes nothing.

use agentwire::ag_kit::AgKit;
use agentwire::ag_kit::events::Event;
use agentwire::builder::WireEvent;
use agentwire::json::Value;
use agentwire::read::{AnyOptions, EventReader, ReadOptions, StreamEntry};
use agentwire::sse::Framing;
use agentwire::write::AFTER_FINISH;
use agentwire::write::{AnyEventWriter, EventError, EventWriter};
use agentwire::{AnyReader, ProtocolKind, Severity};
use agentwire_cases::{Case, reads};

use crate::reading::{options, protocol_of, read};

/// Returns the data of the events of a case's stream.
fn events(case: &Case) -> Vec<String> {
    let mut reader = EventReader::new(Some(protocol_of(case)), &options(case).options);
    let mut entries = reader.push(&case.stream());
    entries.extend(reader.finish());
    let data = |entry| match entry {
        StreamEntry::Event(event) if !event.data.trim().is_empty() => Some(event.data),
        _ => None,
    };
    entries.into_iter().filter_map(data).collect()
}

/// Returns the options of a case for a stream of server-sent events.
fn choices(case: &Case) -> AnyOptions {
    let mut choices = options(case);
    choices.options.framing = Framing::Sse;
    choices
}

/// Returns the frame of an event: with its name, if the protocol's events have names.
fn frame(protocol: ProtocolKind, data: &str) -> String {
    let is_named = ["responses", "anthropic"].contains(&protocol.as_str());
    let json = Value::parse(data, 128).ok().filter(|_| is_named);
    let name = json.as_ref().and_then(|json| json.get("type")?.as_str());
    let mut out = String::new();
    // A writer writes each event on one line.
    let line = data.trim().replace(['\r', '\n'], " ");
    agentwire::sse::event(&mut out, None, name, &line);
    out
}

/// Returns the rule that the last of these events violates, or the end after them.
fn violated(case: &Case, frames: &[String], is_end: bool) -> Option<&'static str> {
    let mut reader = AnyReader::with_options(protocol_of(case), choices(case));
    let total = |reader: &AnyReader| reader.report().map_or(0, agentwire::Report::total);
    let mut before = 0;
    for frame in frames {
        before = total(&reader);
        reader.push(frame.as_bytes());
    }
    if is_end {
        before = total(&reader);
    }
    // An event that ends the stream is also judged by what is missing then.
    let is_end = is_end || reader.has_ended();
    let report = if is_end { reader.finish().report } else { reader.report()?.clone() };
    let found = report.violations_between(before, u64::MAX);
    found.map(|it| it.rule).find(|rule| rule.severity > Severity::Note).map(|rule| rule.id)
}

fn rule<T>(result: &Result<T, EventError>) -> Option<&'static str> {
    result.as_ref().err().map(|error| error.violation.rule.id)
}

/// Writes all events of a case that the writer takes; asserts that each other event is refused with
/// the rule that it violates after the written ones. Returns the stream, the number of events that
/// were refused, and whether its end was.
fn write(case: &Case) -> (String, usize, bool) {
    let protocol = protocol_of(case);
    let mut out = AnyEventWriter::new(protocol, choices(case)).unwrap();
    let (mut frames, mut refused, mut has_marker) = (Vec::new(), 0, false);
    for data in events(case) {
        frames.push(frame(protocol, &data));
        let written = out.write_json(&data);
        assert_eq!(rule(&written), violated(case, &frames, false), "{case}: {data}");
        match written {
            Ok(event) => {
                assert_eq!(event.as_sse().lines().count(), frames.last().unwrap().lines().count());
                *frames.last_mut().unwrap() = event.into_sse();
                has_marker |= data.trim() == "[DONE]";
            }
            Err(error) => {
                assert!(error.event.len() <= 4_003 && !error.event.is_empty(), "{case}");
                frames.pop();
                refused += 1;
            }
        }
    }
    let mut whole = frames.clone();
    if ["ag-kit", "ai-sdk", "chat"].contains(&protocol.as_str()) && !has_marker {
        whole.push(frame(protocol, "[DONE]"));
    }
    let last = out.finish();
    let expected = violated(case, &whole, true).or_else(|| violated(case, &whole, false));
    assert_eq!(last.is_err(), expected.is_some(), "{case}: {last:?} {expected:?}");
    match last {
        Ok(last) => {
            frames.extend(last.map(WireEvent::into_sse));
            assert_eq!(frames, whole, "{case}");
            assert_eq!(rule(&out.write_json("{}")), Some(AFTER_FINISH.id), "{case}");
            assert_eq!(out.finish().unwrap(), None, "{case}");
            (whole.concat(), refused, false)
        }
        Err(_) => (frames.concat(), refused, true),
    }
}

#[test]
fn every_stream_is_written_but_for_its_violations() {
    let (mut whole, mut refused, mut unfinished) = (0, 0, 0);
    for case in reads().into_iter().filter(|case| events(case).len() < 400) {
        let (stream, refusals, is_unfinished) = write(&case);
        let outcome = read(protocol_of(&case), choices(&case), [stream.as_bytes()]);
        let worst = outcome.report.worst();
        assert!(is_unfinished || worst <= Some(Severity::Note), "{case}: {:?}", outcome.report);
        refused += usize::from(refusals > 0);
        unfinished += usize::from(is_unfinished);
        let original = read(protocol_of(&case), options(&case), [&*case.stream()]);
        if original.report.worst() <= Some(Severity::Note) {
            assert!(refusals == 0 && !is_unfinished, "{case}: {refusals}");
            assert_eq!(outcome.snapshot.to_json(), original.snapshot.to_json(), "{case}");
            whole += 1;
        }
    }
    println!("{whole} {refused} {unfinished}");
    assert!(whole >= 200 && refused >= 100 && unfinished >= 50, "{whole} {refused} {unfinished}");
}

fn text(content: &str) -> Event<'_> {
    Event::Text { content: content.into() }
}

fn start<'a>(id: &'a str) -> Event<'a> {
    Event::ToolCallStart { tool_call_id: id.into(), tool_call_name: "f".into() }
}

fn end<'a>(id: &'a str) -> Event<'a> {
    Event::ToolCallEnd { tool_call_id: id.into() }
}

fn ag_kit() -> EventWriter<AgKit> {
    EventWriter::new(AgKit::default()).unwrap()
}

/// JSON that no reader of AG-Kit takes as an event, and the rule that it violates.
const REFUSED: [(&str, &str); 10] = [
    ("", "malformed-event"),
    (" \n", "malformed-event"),
    ("{\"type\":\"text\",\"content\":\"a\"", "malformed-event"),
    ("{\"type\":\"text\"}", "malformed-event"),
    ("{\"type\":\"text\",\"content\":5}", "malformed-event"),
    ("[{\"type\":\"text\",\"content\":\"a\"}]", "whole-answer"),
    ("{\"type\":\"tool-call-args\",\"toolCallId\":\"no\",\"delta\":\"\"}", "call-not-started"),
    ("{\"type\":\"tool-call-end\",\"toolCallId\":\"no\"}", "call-not-started"),
    ("data: {\"type\":\"text\",\"content\":\"a\"}", "malformed-event"),
    (
        "{\"type\":\"text\",\"content\":\"a\"}\n\n{\"type\":\"text\",\"content\":\"b\"}",
        "malformed-event",
    ),
];

#[test]
fn a_refused_event_changes_nothing_wherever_it_is() {
    let events = [text("a"), start("c"), start("d"), end("c"), text("b"), end("d"), Event::Done];
    let whole: Vec<String> = {
        let mut out = ag_kit();
        events.iter().map(|event| out.write(event).unwrap().into_sse()).collect()
    };
    for at in 0..=events.len() {
        let mut out = ag_kit();
        let mut stream = Vec::new();
        for (number, event) in events.iter().enumerate() {
            if number == at {
                for (data, rule) in REFUSED {
                    let error = out.write_json(data).unwrap_err();
                    assert_eq!(error.violation.rule.id, rule, "{data}");
                    assert_eq!(error.violation.at.event, number as u64, "{data}");
                    assert_eq!(error.event, data.trim(), "{data}");
                }
                assert_eq!(out.finish().is_err(), (2..6).contains(&at), "{at}");
                if at < 2 || at == 6 {
                    // The stream has ended.
                    break;
                }
            }
            stream.push(out.write(event).unwrap().into_sse());
        }
        assert_eq!(stream, whole[..stream.len()], "{at}");
        if at == events.len() {
            let after = REFUSED.map(|(data, _)| rule(&out.write_json(data)));
            assert!(
                after.iter().all(|rule| {
                    matches!(rule, Some("after-done" | "malformed-event" | "whole-answer"))
                }),
                "{after:?}"
            );
            assert_eq!(out.finish(), Ok(None));
        }
    }
}

#[test]
fn an_end_is_refused_as_long_as_a_call_is_open() {
    let mut out = ag_kit();
    out.write(&start("c")).map(drop).unwrap();
    assert_eq!(rule(&out.write(&Event::Done)), Some("call-not-ended"));
    assert_eq!(out.finish().unwrap_err().violation.rule.id, "call-not-ended");
    out.write(&end("c")).map(drop).unwrap();
    out.write(&Event::Done).map(drop).unwrap();
    assert_eq!(out.finish(), Ok(None));
}

#[test]
fn the_marker_is_written_once() {
    let mut out = ag_kit();
    out.write(&text("a")).map(drop).unwrap();
    assert_eq!(out.finish().unwrap().map(WireEvent::into_sse).as_deref(), Some("data: [DONE]\n\n"));
    assert_eq!(rule(&out.write(&text("b"))), Some(AFTER_FINISH.id));

    let mut out = ag_kit();
    out.write(&Event::Done).map(drop).unwrap();
    assert_eq!(rule(&out.write(&text("b"))), Some("after-done"));
    assert_eq!(out.finish(), Ok(None));
}

#[test]
fn an_event_of_another_protocol_is_refused() {
    let mut out = ag_kit();
    let error = out.write_json(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#).unwrap_err();
    assert_eq!(error.violation.rule.id, "dialect-ag-ui");
    let chunk = r#"{"id":"c","object":"chat.completion.chunk","choices":[]}"#;
    assert_eq!(rule(&out.write_json(chunk)), Some("unknown-protocol"));
    assert!(out.write(&text("a")).is_ok());
}

#[test]
fn an_event_above_a_limit_is_refused_and_smaller_ones_are_written() {
    let mut options = ReadOptions::default();
    options.limits.event_bytes = 1_000;
    options.limits.content_bytes = 2_000;
    options.limits.violations = 0;
    let mut out = EventWriter::with_options(AgKit::default(), options).unwrap();
    let error = out.write(&text(&"x".repeat(1_000))).unwrap_err();
    assert_eq!(error.violation.rule.id, "limit-exceeded");
    assert!(error.to_string().starts_with("limit-exceeded: the event was not written"), "{error}");
    for _ in 0..2 {
        out.write(&text(&"x".repeat(900))).map(drop).unwrap();
    }
    assert_eq!(rule(&out.write(&text(&"x".repeat(900)))), Some("limit-exceeded"));
    out.write(&text(&"x".repeat(100))).map(drop).unwrap();
}

#[test]
fn json_over_several_lines_is_one_event() {
    let mut out = ag_kit();
    let written =
        out.write_json("{\r\n  \"type\": \"text\",\n  \"content\": \"a\\n\",\n  \"n\": 1e400 }\n");
    let line = "data: {\"type\":\"text\",\"content\":\"a\\n\",\"n\":1e400}\n\n";
    assert_eq!(written.unwrap().as_sse(), line);
}

/// Some readers treat these characters as line ends.
#[test]
fn no_text_adds_a_line() {
    let mut out = ag_kit();
    let written = out.write_json("{\"type\":\"text\",\"content\":\"\u{85}\u{2028}\u{2029}\"}");
    let line = "data: {\"type\":\"text\",\"content\":\"\\u0085\\u2028\\u2029\"}\n\n";
    assert_eq!(written.unwrap().as_sse(), line);

    let mut out = AnyEventWriter::new(ProtocolKind::Anthropic, AnyOptions::default()).unwrap();
    for data in [r#"{"type":"ping\nid: 7"}"#, r#"{"type":"ping\r\rdata: {}"}"#] {
        let lines = out.write_json(data).map(|event| event.as_sse().lines().count());
        assert!(lines.is_err() || lines == Ok(2), "{lines:?}");
    }
}

#[test]
fn the_events_of_protocols_with_names_have_names() {
    let mut out = AnyEventWriter::new(ProtocolKind::Anthropic, AnyOptions::default()).unwrap();
    let event = out.write_json(r#"{"type":"ping"}"#).unwrap();
    assert_eq!(event.as_sse(), "event: ping\ndata: {\"type\":\"ping\"}\n\n");
}
