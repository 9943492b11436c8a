//! Tests that a declared protocol is read, replayed, judged, written and converted.

use alloc::borrow::ToOwned;
use alloc::format;

use super::*;
use crate::convert::{ConvertOptions, Converter, Source};
use crate::core::id::Counter;
use crate::core::options::ReadOptions;
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::read::StreamDecoder;
use crate::read::native::AnyReader;
use crate::read::reader::Reader;
use crate::write::EventWriter;

fn stream(count: usize) -> String {
    let mut out = String::new();
    for at in 0..count {
        let who = if at < count / 2 { "a" } else { "b" };
        let text = ["x", r"\n", "你", r"\ud83d", r"\ude00"][at % 5];
        out += &format!(
            "event: says\ndata: {{\"kind\":\"says\",\"who\":\"{who}\",\"nonce\":\"{:x}\",\"text\":\"{text}\",\"at\":{}.5e1}}\n\n",
            at * 7919,
            at * 31
        );
    }
    out + "event: bye\ndata: {\"kind\":\"bye\"}\n\n"
}

#[test]
fn outcome_does_not_depend_on_chunk_boundaries() {
    let bytes = stream(40);
    let read = |size: usize| {
        let mut reader = Reader::new(Toy::default());
        bytes.as_bytes().chunks(size).for_each(|chunk| {
            reader.push(chunk);
        });
        let outcome = reader.finish();
        (outcome.snapshot.to_json(), outcome.report.to_json())
    };
    let spoken = "x\\n你😀".repeat(4);
    let expected = format!(
        r#"{{"status":"over","why":null,"speeches":[{{"type":"spoken","who":"a","text":"{spoken}"}},{{"type":"spoken","who":"b","text":"{spoken}"}}]}}"#
    );
    let whole = read(usize::MAX);
    assert_eq!(whole.0, expected);
    assert!(
        whole.1.contains(r#""events":41"#) && whole.1.contains(r#""violations":[]"#),
        "{}",
        whole.1
    );
    for size in 1..200 {
        assert_eq!(read(size), whole, "chunks of {size}");
    }
}

/// An engine that counts the events that it decodes.
#[test]
fn named_events_with_a_nonce_and_a_time_are_replayed() {
    let (options, mut snapshot) = (ReadOptions::default(), Snapshot::default());
    let fold = Toy::default().engine(&options, &mut snapshot);
    let mut stream = StreamDecoder::new(fold, &options);
    let event = |nonce: &str, at: &str| {
        format!(
            "event: says\ndata: {{\"kind\":\"says\",\"who\":\"a\",\"text\":\"z\",\"nonce\":{nonce},\"at\":{at}}}\n\n"
        )
    };
    stream.push((event("\"1\"", "1") + &event("\"2\"", "2")).as_bytes(), &mut snapshot);
    let learned = stream.fold().repeatable().cloned().expect("one append and nothing else");
    assert_eq!(learned.unread.len(), 2);
    stream.push(event("\"a\\\"b\"", "-3.5e7").repeat(50).as_bytes(), &mut snapshot);
    // The engine decoded none of them, so its last decoded event is still the same.
    assert_eq!(stream.fold().repeatable(), Some(&learned));
    assert_eq!((stream.report().events, snapshot.to_json().matches('z').count()), (52, 52));
    // A value of another type makes a different event.
    stream.push(event("null", "3").as_bytes(), &mut snapshot);
    assert_eq!(stream.fold().repeatable().map(|repeat| repeat.unread.len()), Some(1));
}

#[test]
fn declarations_generate_events_and_rules() {
    let data = r#"{"kind":"says","who":"a","text":"x","nonce":"1","at":2}"#;
    let event = Event::decode(data, 8).unwrap().into_owned();
    let Event::Says { who, nonce, at, .. } = &event else { panic!("{event:?}") };
    assert_eq!((&**who, nonce.as_str(), at.to_json()), ("a", Some("1"), "2".to_owned()));
    assert_eq!((event.to_data(), event.name()), (data.to_owned(), Some("says")));
    assert_eq!(event.to_sse(), format!("data: {data}\n\n"));
    assert_eq!((Event::TYPES, rules::ALL.len()), (&["says", "bye", "fails"][..], 10));
    assert_eq!(Event::decode(r#"{"kind":"says","text":"x"}"#, 8).unwrap_err().path, "who");
    assert_eq!(
        patch_schema(),
        r#"{"keys":["status","why","speeches","who","text"],"words":["open","over","failed"],"templates":[{"status":"open","why":null,"speeches":[]},{"type":"spoken","who":"","text":""}]}"#
    );
}

#[test]
fn the_protocol_is_detected_and_violations_are_reported() {
    let late = r#"data: {"kind":"says","who":"a","text":"!","nonce":1,"at":2}"#;
    let mut reader = AnyReader::new();
    reader.push((stream(4) + late + "\n\n").as_bytes());
    let outcome = reader.finish();
    assert_eq!(outcome.snapshot.protocol(), ProtocolKind::Toy);
    assert_eq!((outcome.report.count("after-bye"), outcome.report.total()), (1, 1));
}

#[test]
fn written_events_are_read_and_those_after_the_end_are_refused() {
    let mut out = EventWriter::new(Toy::default()).unwrap();
    let says = Event::Says {
        who: "a".into(),
        text: "Hi".into(),
        nonce: "n".to_owned().into(),
        at: 1.into(),
    };
    let stream = [out.write(&says), out.write(&Event::Fails { why: "tired".into() })];
    assert_eq!(out.write(&Event::Bye {}).unwrap_err().violation.rule.id, "after-bye");
    let mut reader = Reader::new(Toy::default());
    stream.iter().flatten().for_each(|event| {
        reader.push(event.to_sse().as_bytes());
    });
    let outcome = reader.finish();
    assert_eq!(
        (outcome.snapshot.status, outcome.snapshot.why.as_deref()),
        (Status::Failed, Some("tired"))
    );
    assert!(outcome.report.violations.is_empty());
}

#[test]
fn streams_are_converted_to_every_protocol_and_back() {
    let convert = |from: &str, to| {
        let options = ConvertOptions::new(BuilderOptions::new(Counter::default(), || 0));
        let mut converter = Converter::new(Source::Auto, to, options).unwrap();
        let mut out = String::new();
        converter.push(from.as_bytes(), &mut out);
        converter.finish(&mut out);
        out
    };
    let text_of = |stream: &str| {
        let mut reader = Reader::new(Toy::default());
        reader.push(stream.as_bytes());
        reader.finish().snapshot.to_json()
    };
    let stream = stream(10);
    assert_eq!(text_of(&convert(&stream, ProtocolKind::Toy)), text_of(&stream));
    let answer = convert(&stream, ProtocolKind::AgentApi);
    assert_eq!(text_of(&convert(&answer, ProtocolKind::Toy)), text_of(&stream), "{answer}");
    let turn = convert(&stream, ProtocolKind::AgKit);
    assert!(
        text_of(&convert(&turn, ProtocolKind::Toy)).contains(r#""text":"x\n你😀x\n你😀""#),
        "{turn}"
    );
}
