//! Invalid and very large integers: nothing overflows, and the outcome does not depend on chunk
//! boundaries.
//!
//! The tests run with overflow checks, so arithmetic that would wrap is a panic here.

use agentwire::ProtocolKind;
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::agent_api::{AgentApi, Style};
use agentwire::builder::Counter;
use agentwire::convert::{ConvertOptions, Converter};
use agentwire::{Outcome, Reader, agent_api};

/// The spellings of an integer.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "1.5",
    "1.0",
    "-1e-5",
    "1e400",
    "-1e400",
    "1e9223372036854775807",
    "1e-9223372036854775809",
    "99999",
    "2147483647",
    "2147483648",
    "4294967294",
    "4294967295",
    "4294967296",
    "-4294967296",
    "9007199254740993",
    "9223372036854775806",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "123456789012345678901234567890",
    "null",
    "\"1\"",
    "true",
    "[]",
];

fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Outcome<agent_api::Snapshot> {
    let mut reader = Reader::new(AgentApi::default());
    chunks.into_iter().for_each(|chunk| {
        reader.push(chunk);
    });
    reader.finish()
}

fn shown(outcome: &Outcome<agent_api::Snapshot>) -> String {
    let Outcome { snapshot, report, .. } = outcome;
    format!(
        "{}\n{}\n{}",
        snapshot.response.to_json(Style::Wire),
        snapshot.tool_calls_json(),
        report.to_json()
    )
}

/// Reads a stream in several ways, and converts it; returns its outcome.
fn every_way(events: &[String]) -> Outcome<agent_api::Snapshot> {
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let whole = read([stream.as_bytes()]);
    for size in [1, 13] {
        assert_eq!(shown(&read(stream.as_bytes().chunks(size))), shown(&whole), "{stream}");
    }
    for to in [ProtocolKind::AgentApi, ProtocolKind::AgKit] {
        let write = BuilderOptions::new(Counter::default(), || i64::MAX);
        let mut converter = Converter::new(ProtocolKind::AgentApi, to, ConvertOptions::new(write))
            .expect("a conversion");
        let mut out = String::new();
        converter.push(stream.as_bytes(), &mut out);
        converter.finish(&mut out);
        assert!(!out.is_empty(), "{stream}");
    }
    whole
}

/// A run that contains every integer of the protocol: the `@` are replaced in order.
const RUN: &[&str] = &[
    r#"{"sequence_number":@0,"object":"response","status":"created","id":"r","created_at":@1}"#,
    r#"{"sequence_number":@2,"object":"response","status":"in_progress","id":"r"}"#,
    r#"{"sequence_number":@3,"object":"message","status":"in_progress","id":"m","type":"message"}"#,
    r#"{"sequence_number":@4,"object":"content","status":"in_progress","type":"text","index":@5,"delta":true,"msg_id":"m","text":"a"}"#,
    r#"{"sequence_number":@6,"object":"content","status":"in_progress","type":"text","index":@5,"delta":true,"msg_id":"m","text":"b"}"#,
    r#"{"sequence_number":7,"object":"content","status":"in_progress","type":"text","delta":true,"msg_id":"m","text":"c"}"#,
    r#"{"sequence_number":8,"object":"content","status":"completed","type":"text","index":@5,"msg_id":"m","text":"ab"}"#,
    r#"{"sequence_number":9,"object":"content","status":"in_progress","type":"data","delta":true,"msg_id":"m","data":{"n":@7}}"#,
    r#"{"sequence_number":10,"object":"content","status":"in_progress","type":"data","delta":true,"msg_id":"m","data":{"n":@8}}"#,
    r#"{"sequence_number":11,"object":"message","status":"completed","id":"m","type":"message","content":[{"type":"text","index":@5,"text":"ab"},{"type":"text","index":@9,"text":"x"}],"usage":{"n":@10}}"#,
    r#"{"sequence_number":@11,"object":"response","status":"completed","id":"r","completed_at":@12}"#,
];

/// The number of these integers.
const PLACES: usize = 13;

fn run(number: impl Fn(usize) -> String) -> Vec<String> {
    let fill = |event: &&str| {
        (0..PLACES)
            .rev()
            .fold((*event).to_owned(), |event, at| event.replace(&format!("@{at}"), &number(at)))
    };
    RUN.iter().map(fill).collect()
}

#[test]
fn every_integer_can_have_any_value() {
    for number in NUMBERS {
        for place in 0..PLACES {
            every_way(&run(|at| if at == place { (*number).to_owned() } else { at.to_string() }));
        }
        every_way(&run(|_| (*number).to_owned()));
    }
    // Every number beside every other.
    for first in NUMBERS {
        for second in NUMBERS {
            every_way(&run(|at| if at % 2 == 0 { first } else { second }.to_string()));
        }
    }
}

fn content(index: &str, text: &str) -> String {
    format!(
        r#"{{"object":"content","status":"in_progress","type":"text",{index}"delta":true,"msg_id":"m","text":"{text}"}}"#
    )
}

/// The last possible index, and the events after it.
#[test]
fn no_index_follows_the_last_index() {
    let start = [
        r#"{"object":"response","status":"created","id":"r"}"#,
        r#"{"object":"response","status":"in_progress","id":"r"}"#,
        r#"{"object":"message","status":"in_progress","id":"m","type":"message"}"#,
    ];
    let outcome = |contents: &[String]| {
        let events: Vec<String> =
            start.iter().map(|event| (*event).to_owned()).chain(contents.iter().cloned()).collect();
        every_way(&events)
    };
    let rules = |outcome: &Outcome<agent_api::Snapshot>| -> Vec<(&'static str, String)> {
        let skipped = ["sequence-number", "message-not-ended", "no-terminal"];
        let violations = outcome.report.violations.iter();
        let told = violations.filter(|violation| !skipped.contains(&violation.rule.id));
        told.map(|violation| (violation.rule.id, violation.got.clone())).collect()
    };
    let gap = ("index-gap", "4294967295 instead of 0".to_owned());
    let null = ("index-null", "no number".to_owned());

    // Without an index, the open part of that type continues.
    let same = outcome(&[content(r#""index":4294967295,"#, "a"), content("", "b")]);
    assert_eq!(same.snapshot.response.output[0].content[0].text(), Some("ab"));
    assert_eq!(rules(&same), [gap.clone(), null.clone()]);

    // A part of another type would follow it, and no index is left.
    let data = r#"{"object":"content","status":"in_progress","type":"data","delta":true,"msg_id":"m","data":{"a":1}}"#;
    let other = outcome(&[content(r#""index":4294967295,"#, "a"), data.to_owned()]);
    assert_eq!(other.snapshot.response.output[0].content.len(), 1);
    assert_eq!(
        rules(&other),
        [gap.clone(), null, ("limit-exceeded", "an index above 2^32".to_owned())]
    );

    // An existing index precedes it; an index above the maximum is not valid.
    let before = outcome(&[content(r#""index":4294967295,"#, "a"), content(r#""index":1,"#, "b")]);
    let indices: Vec<u32> =
        before.snapshot.response.output[0].content.iter().map(|part| part.index).collect();
    assert_eq!((indices, rules(&before)), (vec![1, u32::MAX], vec![gap]));
    let beyond = outcome(&[content(r#""index":4294967296,"#, "a")]);
    assert!(beyond.snapshot.response.output[0].content.is_empty());
    assert_eq!(rules(&beyond), [("limit-exceeded", "an index above 2^32".to_owned())]);
}

#[test]
fn the_reconnection_time_is_clamped_and_never_negative() {
    for (retry, expected) in [
        ("0", "0"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854775807"),
        ("18446744073709551615", "9223372036854775807"),
        ("18446744073709551616", "null"),
        ("-1", "null"),
    ] {
        let stream = format!("retry: {retry}\n\n");
        let report = read([stream.as_bytes()]).report.to_json();
        assert!(report.ends_with(&format!("\"retry\":{expected}}}")), "{retry}: {report}");
    }
}

/// Steps of the hub number their messages and parts.
#[test]
fn steps_with_invalid_numbers_are_rejected() {
    use agentwire::convert::ConversionSide;
    for number in NUMBERS {
        for (message, part) in [(*number, "0"), ("0", *number), (*number, *number)] {
            let lines = format!(
                "{{\"type\":\"text\",\"message\":{message},\"part\":{part},\"piece\":\"a\"}}\n\
                 {{\"type\":\"open\",\"message\":1,\"messageType\":\"reasoning\"}}\n\
                 {{\"type\":\"call\",\"message\":1,\"part\":1,\"id\":\"c\",\"name\":\"f\"}}\n"
            );
            let write = BuilderOptions::new(Counter::default(), || 0);
            let to = ConversionSide::Protocol(ProtocolKind::AgentApi);
            let mut converter =
                Converter::new(ConversionSide::Steps, to, ConvertOptions::new(write))
                    .expect("a conversion");
            let mut out = String::new();
            converter.push(lines.as_bytes(), &mut out);
            converter.finish(&mut out);
            let report = read([out.as_bytes()]).report;
            assert_eq!(report.total(), 0, "{lines}{out}{:?}", report.violations);
            let is_number = |text: &str| text.parse::<u32>().is_ok();
            let unknown = u64::from(!(is_number(message) && is_number(part)));
            assert_eq!(
                converter.losses().expect("losses").count("unknown-step"),
                unknown,
                "{lines}"
            );
        }
    }
}

/// A clock and an index of the caller's may be anything, too.
#[test]
fn builders_accept_extreme_numbers() {
    let response = ResponseBuilder::new(BuilderOptions::new(Counter::default(), || i64::MIN));
    let mut stream = vec![response.created().unwrap(), response.in_progress().unwrap()];
    let message = response.create_message_builder("assistant", "message").unwrap();
    stream.push(message.in_progress().unwrap());
    let far = message.create_content_builder_at("text", u32::MAX).unwrap();
    assert_eq!(far.add_text_delta("x").unwrap_err().code, "index-gap");
    stream.extend(response.finish_with("completed".into(), None));
    let bytes: String = stream.iter().map(|event| event.to_sse()).collect();
    let outcome = read([bytes.as_bytes()]);
    assert_eq!(outcome.snapshot.response.created_at, Some(i64::MIN));
    assert_eq!(outcome.report.total(), 0);
}
