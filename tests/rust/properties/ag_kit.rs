//! AG-Kit: snapshot and report do not depend on chunk boundaries; the event template changes
//! nothing; nothing panics.

use agentwire::ag_kit::events::Event;
use agentwire::ag_kit::{AgKit, Snapshot};
use agentwire::internals::engine::EventReceiver;
use agentwire::protocol::Protocol;
use agentwire::read::{Mode, ReadOptions};
use agentwire::sse::{Decoder, Framing, StreamItem, TrailingEvent};
use agentwire::{Limits, Reader};
use proptest::prelude::*;

use crate::outcome::{Shown, one_by_one, outcome};

/// The options of the reader: whether `[DONE]` is optional, and whether the client's tools are
/// listed.
type Told = (bool, bool);

/// Returns the protocol, and the function that shows its snapshot.
fn protocol((done_is_optional, tools): Told) -> (AgKit, Shown<AgKit>) {
    let mut protocol = AgKit::default();
    protocol.done_is_optional = done_is_optional;
    protocol.client_tools = tools.then(|| vec!["f".to_owned()]);
    (protocol, Snapshot::to_json)
}

fn small() -> Limits {
    let mut limits = Limits::default();
    limits.line_bytes = 48;
    limits.messages = 3;
    limits.content_bytes = 30;
    limits.json_depth = 3;
    limits.violations = 4;
    limits
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z 你😀]{0,12}",
        2 => proptest::sample::select(&[r"\n", r"\ud83d", r"\ude00", r"\ud83d\ude00", r#"\""#, r#"{\"a\":"#, "1}", "[[[[", "\u{ff}"][..]).prop_map(str::to_owned),
    ]
}

fn id() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(&["c1", "c1", "c2", "", r"\u0063"][..])
}

/// Events that resemble the protocol and violate it in every way; `run` is the number of
/// repetitions.
fn event() -> impl Strategy<Value = (String, usize)> {
    let event = (text(), id(), 0..40u8).prop_map(|(text, id, form)| match form {
        0..=8 => format!(r#"{{"type":"text","content":"{text}"}}"#),
        9..=12 => format!(r#"{{"type":"tool-call-start","toolCallId":"{id}","toolCallName":"f"}}"#),
        13 => {
            format!(r#"{{"type":"tool-call-start","toolCallId":"{id}","toolCallName":"{text}"}}"#)
        }
        14..=22 => format!(r#"{{"type":"tool-call-args","toolCallId":"{id}","delta":"{text}"}}"#),
        23..=25 => format!(r#"{{"type":"tool-call-end","toolCallId":"{id}"}}"#),
        26..=27 => format!(r#"{{"type":"tool-result","toolCallId":"{id}","result":"{text}"}}"#),
        28 => format!(
            r#"{{"type":"interrupt","id":"{id}","reason":null,"payload":{{"a":[["{text}"]]}}}}"#
        ),
        29 => format!(r#"{{"type":"error","error":"{text}"}}"#),
        30 => format!(r#"{{"error":{{"message":"{text}"}},"details":"{text}"}}"#),
        31 => "[DONE]".to_owned(),
        32 => format!(r#" {{ "content" : "{text}" , "type" : "text" }} "#),
        33 => format!(r#"{{"type":"text","content":"x","content":"{text}"}}"#),
        34 => format!(r#"{{"type":"later","delta":"{text}"}}"#),
        35 => r#"{"type":"RUN_STARTED"}"#.to_owned(),
        36 => format!(r#"{{"type":"text","content":{id}5}}"#),
        37 => "nonsense".to_owned(),
        38 => format!(r#"{{"delta":"{text}","toolCallId":"{id}","type":"tool-call-args"}}"#),
        _ => format!(r#"{{"type":"text","content":"{text}","more":[1]}}"#),
    });
    (event, prop_oneof![3 => Just(1), 1 => 2..5usize])
}

pub fn stream() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec((event(), 0..12u8), 0..30).prop_map(|events| {
        let mut out = Vec::new();
        for ((event, times), form) in events {
            let (before, end) = match form {
                0 => ("data: ", "\r\n\r\n"),
                1 => ("data:", "\r\r"),
                2 => ("data:\t", "\t\n\n"),
                3 => ("data: ", "\n: ping\n\n"),
                4 => ("id: 1\ndata: ", "\n\n"),
                5 => ("event: x\ndata: ", "\n\n"),
                6 => ("data: ", "\n\nid: 2\n\n"),
                _ => ("data: ", "\n\n"),
            };
            for _ in 0..times {
                out.extend(format!("{before}{event}{end}").bytes());
            }
            if form == 11 {
                out.extend(b"data: {\"type\":\"text\",\"content\":\"\xff\xff\xff\xff\"}\n\n");
            }
        }
        out
    })
}

proptest! {
    #![proptest_config(crate::cases(600))]

    #[test]
    fn outcome_does_not_depend_on_chunk_boundaries(bytes in stream(), size in 1usize..50, few in any::<bool>(), told in any::<Told>()) {
        let limits = if few { small() } else { Limits::default() };
        for mode in [Mode::Lenient, Mode::Strict, Mode::Raw] {
            let whole = outcome(protocol(told), [bytes.as_slice()], mode, &limits);
            prop_assert_eq!(&outcome(protocol(told), bytes.chunks(size), mode, &limits), &whole);
            prop_assert_eq!(&outcome(protocol(told), bytes.chunks(1), mode, &limits), &whole);
        }
    }

    #[test]
    fn replayed_and_parsed_events_agree(bytes in stream(), size in 1usize..300, few in any::<bool>(), told in any::<Told>()) {
        let limits = if few { small() } else { Limits::default() };
        for mode in [Mode::Lenient, Mode::Strict, Mode::Raw] {
            let general = one_by_one(protocol(told), &bytes, mode, &limits);
            prop_assert_eq!(&outcome(protocol(told), [bytes.as_slice()], mode, &limits), &general);
            prop_assert_eq!(&outcome(protocol(told), bytes.chunks(size), mode, &limits), &general);
        }
    }

    /// The same bytes as lines of JSON, where `data: ` begins no event, and without that prefix.
    #[test]
    fn ndjson_outcome_does_not_depend_on_chunk_boundaries(bytes in stream(), size in 1usize..50, few in any::<bool>(), bare in any::<bool>()) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text = if bare { text.replace("data: ", "").replace("\n\n", "\n") } else { text };
        let mut options = ReadOptions::default();
        options.framing = Framing::Ndjson;
        options.limits = if few { small() } else { Limits::default() };
        let outcome = |size: usize| {
            let mut reader = Reader::with_options(AgKit::default(), options.clone());
            text.as_bytes().chunks(size).for_each(|chunk| { reader.push(chunk); });
            let outcome = reader.finish();
            format!("{}\n{}", outcome.snapshot.to_json(), outcome.report.to_json())
        };
        let whole = outcome(text.len().max(1));
        prop_assert_eq!(&outcome(size), &whole);
        prop_assert_eq!(&outcome(1), &whole);
        // Without the event template: each event separately.
        let mut snapshot = Snapshot::default();
        let mut fold = AgKit::default().engine(&options, &mut snapshot);
        let mut decoder = Decoder::framed(options.limits.clone(), Framing::Ndjson);
        let mut on = |item: StreamItem<'_>| if let StreamItem::Event(event) = item { fold.event(&event, &mut snapshot) };
        decoder.push(text.as_bytes(), &mut on);
        decoder.finish(TrailingEvent::Lenient, &mut on);
        fold.finish(false, &mut snapshot);
        let answer = snapshot.to_json();
        prop_assert_eq!(Some(answer.as_str()), whole.lines().next());
    }

    #[test]
    fn validation_does_not_change_the_snapshot(bytes in stream(), told in any::<Told>()) {
        let answer = |mode| {
            let text = outcome(protocol(told), [bytes.as_slice()], mode, &Limits::default());
            text.lines().next().map(str::to_owned)
        };
        prop_assert_eq!(answer(Mode::Lenient), answer(Mode::Raw));
    }

    #[test]
    fn encoded_events_decode_to_the_same_event((data, _) in event()) {
        if let Ok(event) = Event::decode(&data, 128) {
            let written = event.to_data();
            prop_assert_eq!(Event::decode(&written, 128), Ok(event.clone().into_owned()), "{}", written);
        }
    }

    #[test]
    fn damaged_recordings_never_panic(case in 0usize..1000, at in any::<prop::sample::Index>(), with in proptest::collection::vec(any::<u8>(), 0..4)) {
        let streams = recordings();
        let mut bytes = streams[case % streams.len()].clone();
        let at = at.index(bytes.len());
        bytes.splice(at..(at + with.len()).min(bytes.len()), with);
        let whole = outcome(protocol((false, false)), [bytes.as_slice()], Mode::Lenient, &Limits::default());
        prop_assert_eq!(outcome(protocol((false, false)), bytes.chunks(7), Mode::Lenient, &Limits::default()), whole);
    }
}

fn recordings() -> &'static [Vec<u8>] {
    static STREAMS: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    STREAMS.get_or_init(|| {
        let cases = agentwire_cases::select("ag-kit", agentwire_cases::Kind::Read);
        cases.iter().map(agentwire_cases::Case::stream).collect()
    })
}
