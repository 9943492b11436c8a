//! Streams of the official server, written by the builder, byte for byte.

use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::builder::WireEvent;
use agentwire::json::Value;
use agentwire::{Limits, sse};
use agentwire_cases::one;

use super::player::{Made, NOW, Player, Recorded, number, text};

/// The last column of a stream of which every byte is equal, instead of a reason.
const SAME: Option<(usize, &str)> = None;

macro_rules! stream {
    ($name:literal, $made:ident, $departs:expr) => {
        ($name, Made::$made, $departs)
    };
}

/// Case, maker, and at which event we depart from the recording, with the reason.
type Stream = (&'static str, Made, Option<(usize, &'static str)>);

const STREAMS: &[Stream] = &[
    stream!("03_builder_generate_streaming_response", BuilderUnnumbered, SAME),
    stream!("04_builder_generate_streaming_response_seq", Builder, SAME),
    stream!(
        "05_builder_zero_tokens",
        BuilderUnnumbered,
        Some((3, "an empty text is \"\", not null (R29d)"))
    ),
    stream!("06_multi_content_text_image", Server, SAME),
    stream!("07_interleaved_contents_one_message", ServerUnsorted, SAME),
    stream!("08_data_set_then_deltas", Server, SAME),
    stream!("10_data_update_snapshots", Server, SAME),
    stream!("11_function_call_and_output", Server, SAME),
    stream!("12_plugin_call_two_calls", Server, SAME),
    stream!("13_component_call", Server, SAME),
    stream!("14_mcp_list_approval_call_output", Server, SAME),
    stream!("16_refusal", Server, SAME),
    stream!("18_file", Server, SAME),
    stream!(
        "24_canceled",
        Builder,
        Some((4, "part-missing: the text was not completed before its message ended (R20)"))
    ),
    stream!(
        "25_rejected",
        Builder,
        Some((4, "part-missing: the text was not completed before its message ended (R20)"))
    ),
    stream!("26_incomplete", Builder, Some((4, "a content has no ending but completed (R28)"))),
    stream!("28_queued_first", Builder, SAME),
    stream!("32_empty_and_none_deltas", Server, SAME),
    stream!("34_unicode", Server, SAME),
    stream!("37_newline_rich", Server, SAME),
    stream!("39_request_id_session_user", Server, SAME),
    stream!(
        "41_heartbeat",
        Server,
        Some((
            4,
            "unknown-role: a message that is built has a role; `add_message` takes one without"
        ))
    ),
    stream!("43_a2ui_response", Server, SAME),
    stream!("46_numbers_and_keys", Server, SAME),
    stream!(
        "51_set_text_mixed_with_deltas",
        Server,
        Some((4, "set-after-delta: a snapshot after a delta is refused (R28)"))
    ),
    stream!("68_autogen_identity_adapter_bug", Server, SAME),
];

#[test]
fn recorded_streams_are_built_byte_for_byte() {
    for (name, made, departs) in STREAMS {
        let events = events(&one("agent-api", name).stream());
        let got = replay(&events, *made);
        match departs {
            None => assert_eq!(got, Ok(()), "{name}"),
            Some((at, why)) => {
                let (departed, text) = got.expect_err(name);
                assert_eq!(departed, *at, "{name}, {why}: {text}");
            }
        }
    }
}

/// The recorded events, but for the one thing that is written otherwise everywhere: the server
/// sends U+0085, U+2028 and U+2029 as they are, and its own client then loses the event.
fn events(bytes: &[u8]) -> Vec<String> {
    let escaped = |data: &str| {
        let separators = [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];
        separators.iter().fold(data.to_owned(), |data, (raw, escape)| data.replace(*raw, escape))
    };
    let mut events = Vec::new();
    let mut decoder = sse::Decoder::new(Limits::default());
    let mut take = |item: sse::StreamItem<'_>| {
        if let sse::StreamItem::Event(event) = item {
            events.push(escaped(event.data));
        }
    };
    decoder.push(bytes, &mut take);
    decoder.finish(sse::TrailingEvent::Strict, &mut take);
    events
}

/// Calls the builder for the events. `Err` has the first event that is different or refused.
fn replay(events: &[String], made: Made) -> Result<(), (usize, String)> {
    let read: Vec<Value> = events.iter().map(|e| Value::parse(e, 64).unwrap()).collect();
    let mut player = Player::new(&read, made);
    for (at, event) in read.iter().enumerate() {
        let made = player.play(event).map_err(|misuse| (at, misuse.to_string()))?;
        if made.json() != events[at] {
            return Err((at, made.to_string()));
        }
        assert_eq!(made.to_sse(), format!("data: {}\n\n", events[at]));
    }
    Ok(())
}

#[test]
fn generate_streaming_response_makes_n_plus_6_events() {
    let name = "04_builder_generate_streaming_response_seq";
    let recorded = events(&one("agent-api", name).stream());
    let read: Vec<Value> = recorded.iter().map(|e| Value::parse(e, 64).unwrap()).collect();
    NOW.set(number(&read[0], "created_at"));
    // The id passed to the constructor is lost: generating resets first, as upstream does.
    let ids = [text(&read[0], "id").to_owned(), text(&read[2], "id").to_owned()];
    let options = BuilderOptions::new(Recorded(ids.into()), || NOW.get())
        .session_id("session_123")
        .response_id("response_lost");
    let response = ResponseBuilder::new(options);
    let tokens = ["Hello", " ", "World", "!"];
    let made = response.generate_streaming_response(tokens, "assistant").unwrap();
    let made: Vec<_> = made.into_iter().map(WireEvent::into_json).collect();
    assert_eq!(made, recorded);
    assert_eq!(made.len(), tokens.len() + 6);

    // Once more, and without tokens: a new stream with a new id, numbered from 0 again.
    let options = BuilderOptions::new(agentwire::builder::Counter::default(), || 0);
    let response = ResponseBuilder::new(options);
    for tokens in [&tokens[..], &[]] {
        let made = response.generate_streaming_response(tokens, "assistant").unwrap();
        assert_eq!(made.len(), tokens.len() + 6);
        for (event, number) in made.iter().zip(0..) {
            assert_eq!(event.sequence_number(), Some(number));
        }
    }
}
