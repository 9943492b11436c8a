//! What the client has before the stream: it counts as received, and a limit that would cut it
//! refuses the stream.

use agentwire::ag_ui::AgUi;
use agentwire::convert::{ConvertOptions, Converter};
use agentwire::json::Value;
use agentwire::protocol::Protocol;
use agentwire::read::ReadOptions;
use agentwire::{EndReason, Limits, ProtocolKind, Reader};

const RUN: &[u8] = b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";

/// A protocol with a thread of so many messages, whose texts have so many characters.
fn thread(messages: usize, length: usize) -> AgUi {
    let text = "x".repeat(length);
    let message = |at| format!(r#"{{"id":"m{at}","role":"user","content":"{text}"}}"#);
    let list = (0..messages).map(message).collect::<Vec<_>>().join(",");
    let mut protocol = AgUi::default();
    protocol.messages = Some(json(&format!("[{list}]")).into());
    protocol
}

fn json(text: &str) -> Value {
    Value::parse(text, u32::MAX).expect("JSON")
}

fn options(change: impl FnOnce(&mut Limits)) -> ReadOptions {
    let mut options = ReadOptions::default();
    change(&mut options.limits);
    options
}

#[test]
fn a_thread_of_any_size_is_read_whole() {
    for (messages, length) in [(1, 0), (200, 0), (1_000, 100), (20_000, 3), (3, 1_000_000)] {
        let protocol = thread(messages, length);
        assert_eq!(protocol.check(&ReadOptions::default()), Ok(()));
        let mut reader = Reader::new(protocol);
        reader.push(RUN);
        let outcome = reader.finish();
        assert_eq!((outcome.snapshot.messages.len(), outcome.report.total()), (messages, 0));
        let texts = outcome.snapshot.to_json().matches('x').count();
        assert_eq!(texts, messages * length, "{messages} messages of {length}");
    }
}

#[test]
fn a_state_of_any_size_can_be_patched() {
    let mut protocol = AgUi::default();
    protocol.state = Some(json(&format!(r#"{{"a":"{}"}}"#, "x".repeat(1 << 20))).into());
    let mut reader = Reader::new(protocol);
    reader.push(RUN.split(|byte| *byte == b'\n').next().expect("a line"));
    reader.push(b"\n\ndata: {\"type\":\"STATE_DELTA\",\"delta\":[{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"}]}\n\n");
    assert_eq!(reader.report().total(), 0);
    assert_eq!(reader.snapshot().to_json().matches('x').count(), 2 << 20);
}

#[test]
fn repeated_work_on_a_long_thread_is_allowed_as_for_a_stream_of_its_size() {
    let mut reader = Reader::new(thread(20_000, 50));
    reader.push(b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n");
    for at in 0..20 {
        let list = format!(
            r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{{"id":"n{at}","role":"user","content":"a"}}]}}"#
        );
        reader.push(format!("data: {list}\n\n").as_bytes());
    }
    let outcome = reader.finish();
    assert_eq!(outcome.snapshot.messages.len(), 1);
    assert_eq!(outcome.report.count("limit-exceeded"), 0);
}

/// The protocol, the options, the code of the error, and parts of its text.
type Refused = (AgUi, ReadOptions, &'static str, [&'static str; 2]);

fn refused() -> Vec<Refused> {
    let state = |text: &str| {
        let mut protocol = AgUi::default();
        protocol.state = Some(json(text).into());
        protocol
    };
    let mut no_list = AgUi::default();
    no_list.messages = Some(json(r#"{"id":"m"}"#).into());
    vec![
        (
            thread(10, 1),
            options(|limits| limits.messages = 9),
            "limit-exceeded",
            ["`messages`", "`messages` = 9"],
        ),
        (
            thread(2, 50),
            options(|limits| limits.content_bytes = 49),
            "limit-exceeded",
            ["`messages`", "`content_bytes` = 49"],
        ),
        (
            thread(9, 50),
            options(|limits| limits.answer_bytes = 900),
            "limit-exceeded",
            ["`messages`", "`answer_bytes` = 900"],
        ),
        (
            thread(900, 50),
            options(|limits| limits.growth = 1),
            "limit-exceeded",
            ["`messages`", "`growth` = 1"],
        ),
        (
            state(r#"{"a":"xxxxxxxxxx"}"#),
            options(|limits| limits.content_bytes = 9),
            "limit-exceeded",
            ["`state`", "`content_bytes` = 9"],
        ),
        (no_list, ReadOptions::default(), "wrong-option", ["`messages`", "list"]),
    ]
}

#[test]
fn an_option_that_a_limit_would_cut_is_an_error_that_names_both() {
    for (protocol, options, code, words) in refused() {
        let error = protocol.check(&options).expect_err(code);
        assert_eq!(error.code, code);
        assert!(words.iter().all(|word| error.problem.contains(word)), "{error}");
    }
}

#[test]
fn a_reader_of_such_options_reads_nothing_and_shows_no_part_of_the_thread() {
    for (protocol, options, code, _) in refused() {
        let mut reader = Reader::with_options(protocol, options);
        reader.push(RUN);
        let outcome = reader.finish();
        assert_eq!(
            (outcome.report.end_reason, outcome.report.events),
            (EndReason::Refused, 0),
            "{code}"
        );
        assert!(outcome.snapshot.messages.is_empty(), "{code}");
    }
}

#[test]
fn a_conversion_with_such_options_is_an_error_before_the_first_byte() {
    for (protocol, read, code, _) in refused() {
        for detects in [true, false] {
            let mut options = ConvertOptions::default();
            options.read.ag_ui = protocol.clone();
            options.read.options = read.clone();
            let converter = match detects {
                true => Converter::new(
                    agentwire::convert::Source::Auto,
                    ProtocolKind::Responses,
                    options,
                ),
                false => Converter::new(ProtocolKind::AgUi, ProtocolKind::Responses, options),
            };
            assert_eq!(converter.err().map(|error| error.code), Some(code));
        }
    }
}
