//! The binary form: the bytes are those of the official encoder, written events read the same, and
//! hostile input is bounded.

use agentwire::ProtocolKind;
use agentwire::ag_ui::{AgUi, binary};
use agentwire::read::ReadOptions;
use agentwire::read::{EventReader, StreamEntry};
use agentwire::sse::Framing;
use agentwire::{Limits, Reader};
use agentwire_cases::{Case, Kind, one, select};

fn options() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.framing = Framing::LengthPrefixed;
    options
}

/// The data of each event of a stream, right or wrong.
fn data(stream: &[u8], options: &ReadOptions) -> Vec<(String, bool)> {
    let mut reader = EventReader::new(Some(ProtocolKind::AgUi), options);
    let mut entries = reader.push(stream);
    entries.extend(reader.finish());
    let event = |entry| match entry {
        StreamEntry::Event(event) => Some((event.data, event.fault.is_none())),
        _ => None,
    };
    entries.into_iter().filter_map(event).collect()
}

#[test]
fn encoded_bytes_match_the_official_encoder() {
    for name in ["p01_protobuf", "binary_all_kinds"] {
        let stream = one("ag-ui", name).stream();
        let mut written = Vec::new();
        for (event, is_right) in data(&stream, &options()) {
            assert!(is_right, "{name}: {event}");
            let encoded = binary::encode(&event, 128).expect("an event");
            assert_eq!(encoded.lost, Vec::<String>::new(), "{name}: {event}");
            written.extend(encoded.frame);
        }
        assert_eq!(written, stream, "{name}");
    }
}

/// Reads the events of a case one by one, in both forms.
fn both(case: &Case) -> Option<(String, String)> {
    let (mut text, mut bytes) =
        (Reader::new(AgUi::default()), Reader::with_options(AgUi::default(), options()));
    for (event, is_right) in data(&case.stream(), &ReadOptions::default()) {
        let encoded = binary::encode(&event, 128)
            .ok()
            .filter(|encoded| is_right && encoded.lost.is_empty())?;
        text.push(format!("data: {}\n\n", event.replace('\n', "\ndata: ")).as_bytes());
        bytes.push(&encoded.frame);
    }
    let (text, bytes) = (text.finish(), bytes.finish());
    // Null is omitted there, and each member occurs once.
    let of_text = ["legacy-null", "null-member", "duplicate-key"];
    let judged = |report: &agentwire::Report| {
        let all =
            report.violations.iter().filter(|violation| !of_text.contains(&violation.rule.id));
        all.map(|violation| {
            format!("{} {} {}", violation.rule.id, violation.at.event, violation.got)
        })
        .collect::<Vec<_>>()
    };
    Some((
        format!("{} {:?}", text.snapshot.to_json(), judged(&text.report)),
        format!("{} {:?}", bytes.snapshot.to_json(), judged(&bytes.report)),
    ))
}

#[test]
fn binary_and_text_streams_yield_the_same_outcome() {
    let mut compared = 0;
    for case in select("ag-ui", Kind::Read).into_iter().filter(|case| !case.is_binary()) {
        if let Some((text, bytes)) = both(&case) {
            assert_eq!(bytes, text, "{case}");
            compared += 1;
        }
    }
    assert!(compared >= 60, "{compared} cases");
}

#[test]
fn properties_that_the_format_cannot_contain_are_listed() {
    let lost = |event: &str| {
        binary::encode(event, 128).map(|encoded| encoded.lost).map_err(|error| error.path)
    };
    let named = |pointers: &[&str]| {
        Ok(pointers.iter().map(|pointer| (*pointer).to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(
        lost(r#"{"type":"STEP_STARTED","stepName":"s","later":1,"a/b":2}"#),
        named(&["/later", "/a~1b"])
    );
    assert_eq!(
        lost(r#"{"type":"RAW","event":{"n":[9007199254740993,1]}}"#),
        named(&["/event/n/0"])
    );
    assert_eq!(
        lost(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ud83d"}"#),
        named(&["/delta"])
    );
    let parts = r#"[{"type":"later"},{"type":"text","text":"t","x":1}]"#;
    assert_eq!(
        lost(&format!(
            r#"{{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":{parts}}}"#
        )),
        named(&["/content/0", "/content/1/x"])
    );
    assert_eq!(
        lost(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"later"}}"#),
        named(&["/outcome"])
    );
    for (event, path) in [
        (r#"{"type":"THINKING_START"}"#, "type"),
        (r#"{"type":"LATER"}"#, "type"),
        (r#"{"type":"RAW","event":[1e999]}"#, "event.0"),
        (r#"{"type":"STEP_STARTED","stepName":"s","timestamp":1.5}"#, "timestamp"),
        (
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":1,"role":"user","content":"c"}]}"#,
            "messages.0.id",
        ),
        ("[]", ""),
    ] {
        assert_eq!(lost(event), Err(path.to_owned()), "{event}");
    }
}

fn frame(message: &[u8]) -> Vec<u8> {
    [&(message.len() as u32).to_be_bytes()[..], message].concat()
}

/// A field that is a message.
fn field(number: u8, message: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut length = message.len();
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    [out, message.to_vec()].concat()
}

#[test]
fn malformed_input_is_limited() {
    let mut limits = Limits::default();
    limits.event_bytes = 1 << 16;
    let read = |stream: &[u8]| {
        let mut options = options();
        options.limits = limits.clone();
        let mut reader = Reader::with_options(AgUi::default(), options);
        stream.chunks(7_777).for_each(|chunk| {
            reader.push(chunk);
        });
        reader.finish()
    };
    let counts = |stream: &[u8]| {
        let counts = read(stream).report.counts;
        counts.iter().map(|(rule, count)| format!("{rule} {count}")).collect::<Vec<_>>()
    };
    let end = binary::encode(r#"{"type":"RUN_ERROR","message":"e"}"#, 128).expect("an event").frame;

    // Operations of two bytes each, each of them twenty in JSON.
    let operations: Vec<u8> = field(2, b"").repeat(32_000);
    let delta = field(8, &[field(1, &[0x08, 0x07]), operations].concat());
    assert_eq!(counts(&[frame(&delta), end.clone()].concat()), ["malformed-event 1"]);

    // Lists in lists in lists.
    let mut value = Vec::new();
    for _ in 0..4_000 {
        value = field(6, &field(1, &value));
    }
    let snapshot = field(7, &[field(1, &[0x08, 0x06]), field(2, &value)].concat());
    assert_eq!(counts(&[frame(&snapshot), end.clone()].concat()), ["malformed-event 1"]);

    // One message in very many parts, in each level of several.
    let mut value = vec![0x08, 0x00];
    for _ in 0..60 {
        value = field(5, &field(1, &[field(1, b"k"), field(2, &value)].concat())).repeat(2);
        value.truncate(40_000);
    }
    let snapshot = field(7, &[field(1, &[0x08, 0x06]), field(2, &value)].concat());
    read(&[frame(&snapshot), end.clone()].concat());

    // Frames of any length above the limit are skipped; the frames after them are read.
    let long = [&(1_000_000u32).to_be_bytes()[..], &vec![0; 1_000_000]].concat();
    assert_eq!(counts(&[long, end.clone()].concat()), ["limit-exceeded 1"]);
    assert_eq!(counts(&[&u32::MAX.to_be_bytes()[..], b"abc"].concat()), ["limit-exceeded 1"]);
}
