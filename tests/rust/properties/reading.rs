//! Reading: snapshot and report do not depend on chunk boundaries; nothing panics.

use agentwire::Limits;
use agentwire::agent_api::{AgentApi, Snapshot, Style};
use agentwire::read::Mode;
use proptest::prelude::*;

use crate::deltas::deltas;
use crate::outcome::{Shown, one_by_one, outcome};

/// Returns the protocol, and the function that shows its snapshot.
fn agent_api() -> (AgentApi, Shown<AgentApi>) {
    let shown = |snapshot: &Snapshot| {
        let response = snapshot.response.to_json(Style::Wire);
        format!("{response}\n{}", snapshot.tool_calls_json())
    };
    (AgentApi::default(), shown)
}

fn small() -> Limits {
    let mut limits = Limits::default();
    limits.messages = 3;
    limits.contents = 2;
    limits.content_bytes = 40;
    limits.json_depth = 6;
    limits.data_nodes = 5;
    limits.violations = 4;
    limits
}

/// A value of a member, mostly a sensible one.
fn word(sensible: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![
        8 => proptest::sample::select(sensible).prop_map(str::to_owned),
        1 => Just("null".to_owned()),
        1 => proptest::sample::select(&["5", "-1", "true", "\"x\"", "{}", "[]", "1e9", "\"\\ud83d\""][..]).prop_map(str::to_owned),
    ]
}

fn status() -> impl Strategy<Value = String> {
    word(&[
        "\"created\"",
        "\"in_progress\"",
        "\"in_progress\"",
        "\"completed\"",
        "\"failed\"",
        "\"unknown\"",
    ])
}

fn text() -> impl Strategy<Value = String> {
    word(&[
        "\"a\"",
        "\"你\"",
        "\"\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"long enough for a limit\"",
        "\"\\n\\\"\"",
    ])
}

fn data() -> impl Strategy<Value = String> {
    word(&[
        r#"{"call_id":"c1","name":"f","arguments":"{\"a\":"}"#,
        r#"{"arguments":"1}"}"#,
        r#"{"call_id":null,"n":1,"l":[1],"o":{"k":"v"}}"#,
        r#"{"n":9007199254740993,"l":[2],"o":{"k":"w","z":null}}"#,
        r#"{"output":"x","call_id":"c1"}"#,
    ])
}

fn content() -> impl Strategy<Value = String> {
    let kind = word(&[
        "\"text\"",
        "\"text\"",
        "\"data\"",
        "\"image\"",
        "\"audio\"",
        "\"file\"",
        "\"refusal\"",
        "\"video\"",
    ]);
    let (index, delta, id) = (
        word(&["0", "0", "1", "2"]),
        word(&["true", "true", "false"]),
        word(&["\"m1\"", "\"m2\"", "\"m3\""]),
    );
    (status(), kind, index, delta, id, text(), data(), 0..4u8).prop_map(|(status, kind, index, delta, id, text, data, form)| {
        let data = if kind == "\"audio\"" { &text } else { &data };
        let id = if form == 0 { String::new() } else { format!(r#""msg_id":{id},"#) };
        let url = if form == 1 { "\"https://e.com/a.png\"" } else { &text };
        format!(
            r#"{{"object":"content","status":{status},"type":{kind},"index":{index},"delta":{delta},{id}"text":{text},"refusal":{text},"image_url":{url},"data":{data},"file_data":{text},"video_url":{url},"extra":{data}}}"#
        )
    })
}

fn message() -> impl Strategy<Value = String> {
    let kind = word(&[
        "\"message\"",
        "\"function_call\"",
        "\"function_call_output\"",
        "\"assistant\"",
        "\"heartbeat\"",
    ]);
    let parts = proptest::collection::vec(content(), 0..3)
        .prop_map(|parts| format!("[{}]", parts.join(",")));
    (status(), kind, word(&["\"m1\"", "\"m2\"", "\"m3\"", "\"m4\""]), prop_oneof![3 => Just("null".to_owned()), 2 => parts]).prop_map(
        |(status, kind, id, parts)| {
            format!(r#"{{"object":"message","status":{status},"id":{id},"type":{kind},"role":"assistant","content":{parts}}}"#)
        },
    )
}

fn response() -> impl Strategy<Value = String> {
    let output = proptest::collection::vec(message(), 0..3)
        .prop_map(|output| format!("[{}]", output.join(",")));
    (
        status(),
        word(&["\"r1\"", "\"r1\"", "\"r2\""]),
        prop_oneof![2 => Just("null".to_owned()), 1 => output],
    )
        .prop_map(|(status, id, output)| {
            format!(r#"{{"object":"response","status":{status},"id":{id},"output":{output}}}"#)
        })
}

/// Streams that resemble the protocol and violate it in every way.
pub fn stream() -> impl Strategy<Value = Vec<u8>> {
    let event = prop_oneof![
        6 => content(),
        3 => message(),
        1 => response(),
        1 => proptest::sample::select(&["[DONE]", "{\"error\":\"x\"}", "{}", "nonsense", "[1]", "{\"object\":\"y\"}"][..]).prop_map(str::to_owned),
    ];
    proptest::collection::vec((event, 0..8u8), 0..24).prop_map(|events| {
        let mut out = Vec::new();
        for (event, form) in events {
            let end = match form {
                0 => "\r\n\r\n",
                1 => "\r\r",
                2 => "\n: ping\n\n",
                _ => "\n\n",
            };
            out.extend(format!("data: {event}{end}").into_bytes());
        }
        out
    })
}

proptest! {
    #![proptest_config(crate::cases(400))]

    #[test]
    fn outcome_does_not_depend_on_chunk_boundaries(bytes in stream(), size in 1usize..50, few in any::<bool>()) {
        let limits = if few { small() } else { Limits::default() };
        for mode in [Mode::Lenient, Mode::Strict, Mode::Raw] {
            let whole = outcome(agent_api(), [bytes.as_slice()], mode, &limits);
            prop_assert_eq!(&outcome(agent_api(), bytes.chunks(size), mode, &limits), &whole);
            prop_assert_eq!(&outcome(agent_api(), bytes.chunks(1), mode, &limits), &whole);
        }
    }

    #[test]
    fn replayed_and_parsed_events_agree(bytes in prop_oneof![1 => stream(), 3 => deltas()], size in 1usize..3000, few in 0u64..400) {
        for content_bytes in [Limits::default().content_bytes, few] {
            let mut limits = Limits::default();
            limits.content_bytes = content_bytes;
            for mode in [Mode::Lenient, Mode::Strict] {
                let general = one_by_one(agent_api(), &bytes, mode, &limits);
                prop_assert_eq!(&outcome(agent_api(), bytes.chunks(size), mode, &limits), &general);
                prop_assert_eq!(&outcome(agent_api(), [bytes.as_slice()], mode, &limits), &general);
            }
        }
    }

    #[test]
    fn validation_does_not_change_the_snapshot(bytes in stream()) {
        let answer = |mode| {
            let text = outcome(agent_api(), [bytes.as_slice()], mode, &Limits::default());
            text.lines().take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        prop_assert_eq!(answer(Mode::Lenient), answer(Mode::Raw));
    }

    #[test]
    fn damaged_recordings_never_panic(case in 0usize..1000, at in any::<prop::sample::Index>(), with in proptest::collection::vec(any::<u8>(), 0..4)) {
        let streams = recordings();
        let mut bytes = streams[case % streams.len()].clone();
        let at = at.index(bytes.len());
        bytes.splice(at..(at + with.len()).min(bytes.len()), with);
        bytes.truncate(at + 4000);
        let whole = outcome(agent_api(), [bytes.as_slice()], Mode::Lenient, &Limits::default());
        prop_assert_eq!(outcome(agent_api(), bytes.chunks(7), Mode::Lenient, &Limits::default()), whole);
    }
}

fn recordings() -> &'static [Vec<u8>] {
    static STREAMS: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    STREAMS.get_or_init(|| {
        let cases = agentwire_cases::select("agent-api", agentwire_cases::Kind::Read);
        cases.iter().map(agentwire_cases::Case::stream).collect()
    })
}
