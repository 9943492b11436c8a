//! Streams of the real server, made again by the builder, byte for byte.

use agentwire::agent_api::builder::{
    BuilderOptions, ContentBuilder, FileFields, MessageBuilder, PartOrder, ResponseBuilder, WireEvent,
};
use agentwire::agent_api::{ErrorInfo, Payload};
use agentwire::core::id::IdSource;
use agentwire::json::Value;
use agentwire::{Limits, Misuse, sse};
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};

/// Who made a recording, which decides a few spellings.
#[derive(Clone, Copy, PartialEq)]
enum Made {
    /// The server: `output` is null until the end.
    Server,
    /// The server, and the parts of a message are in the order of completion, as upstream lists them.
    ServerUnsorted,
    /// The Python builder, numbered.
    Builder,
    /// The Python builder alone: not numbered.
    BuilderUnnumbered,
}

/// What the last column says instead of a reason when every byte is the same.
const SAME: Option<(usize, &str)> = None;

macro_rules! stream {
    ($name:literal, $made:ident, $departs:expr) => {
        (
            $name,
            include_str!(concat!("../../corpus/agent_api_builder/streams/", $name, ".sse")),
            Made::$made,
            $departs,
        )
    };
}

/// Name, bytes, maker, and at which event we depart from the recording, with the reason.
type Stream = (&'static str, &'static str, Made, Option<(usize, &'static str)>);

const STREAMS: &[Stream] = &[
    stream!("03_builder_generate_streaming_response", BuilderUnnumbered, SAME),
    stream!("04_builder_generate_streaming_response_seq", Builder, SAME),
    stream!("05_builder_zero_tokens", BuilderUnnumbered, Some((3, "an empty text is \"\", not null (R29d)"))),
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
        Some((4, "unknown-role: a message that is built has a role; `add_message` takes one without"))
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

/// Ids as they were recorded.
struct Recorded(VecDeque<String>);

impl IdSource for Recorded {
    fn next_id(&mut self, _: &str) -> String {
        self.0.pop_front().unwrap_or_default()
    }
}

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
}

#[test]
fn recorded_streams_are_made_byte_for_byte() {
    for (name, bytes, made, departs) in STREAMS {
        let events = events(bytes);
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

/// The recorded events, but for the one thing that is written otherwise everywhere: the server sends U+0085, U+2028 and
/// U+2029 as they are, and its own client then loses the event.
fn events(bytes: &str) -> Vec<String> {
    let escaped = |data: &str| {
        let separators = [('\u{85}', "\\u0085"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];
        separators.iter().fold(data.to_owned(), |data, (raw, escape)| data.replace(*raw, escape))
    };
    let mut events = Vec::new();
    let mut decoder = sse::Decoder::new(Limits::default());
    let mut take = |item: sse::Item<'_>| {
        if let sse::Item::Event(event) = item {
            events.push(escaped(event.data));
        }
    };
    decoder.push(bytes.as_bytes(), &mut take);
    decoder.finish(sse::Ending::Strict, &mut take);
    events
}

/// Calls the builder as the events say. `Err` is the first event that comes out different or is refused.
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

struct Player {
    response: ResponseBuilder,
    messages: HashMap<String, MessageBuilder>,
    contents: HashMap<(String, String), ContentBuilder>,
}

impl Player {
    fn new(events: &[Value], made: Made) -> Self {
        let mut ids = VecDeque::new();
        for event in events.iter().filter(|e| text(e, "object") == "message") {
            let id = text(event, "id").to_owned();
            if !ids.contains(&id) {
                ids.push_back(id);
            }
        }
        NOW.set(number(&events[0], "created_at"));
        let mut options = BuilderOptions::new(Recorded(ids), || NOW.get())
            .response_id(text(&events[0], "id"))
            .null_output(matches!(made, Made::Server | Made::ServerUnsorted))
            .completed_only(true)
            .numbering(made != Made::BuilderUnnumbered);
        if let Some(Value::String(session)) = events[0].get("session_id") {
            options = options.session_id(session.as_str());
        }
        if made == Made::ServerUnsorted {
            options = options.part_order(PartOrder::Completion);
        }
        Player { response: ResponseBuilder::new(options), messages: HashMap::new(), contents: HashMap::new() }
    }

    fn play(&mut self, event: &Value) -> Result<WireEvent, Misuse> {
        let status = text(event, "status");
        match text(event, "object") {
            "response" => self.response(status, event),
            "message" => self.message(status, event),
            "content" => self.content(status, event),
            other => panic!("object {other}"),
        }
    }

    fn response(&self, status: &str, event: &Value) -> Result<WireEvent, Misuse> {
        match status {
            "created" => self.response.created(),
            "queued" => self.response.queued(),
            "in_progress" => self.response.in_progress(),
            "completed" => {
                NOW.set(number(event, "completed_at"));
                self.response.completed()
            }
            "failed" => self.response.failed(error(event)),
            "canceled" => self.response.canceled(),
            "rejected" => self.response.rejected(None),
            "incomplete" => self.response.incomplete(None),
            other => panic!("status {other}"),
        }
    }

    fn message(&mut self, status: &str, event: &Value) -> Result<WireEvent, Misuse> {
        let id = text(event, "id");
        if !self.messages.contains_key(id) {
            let made = self.response.create_message_builder(text(event, "role"), text(event, "type"))?;
            assert_eq!(made.id(), id);
            self.messages.insert(id.to_owned(), made);
        }
        let message = &self.messages[id];
        for (name, set) in [
            ("usage", MessageBuilder::set_usage as fn(&_, _) -> _),
            ("metadata", MessageBuilder::set_metadata),
        ] {
            if let Some(value) = event.get(name).filter(|v| !v.is_null()) {
                set(message, value.clone())?;
            }
        }
        match status {
            "in_progress" => message.in_progress(),
            "completed" => message.complete(),
            "failed" => message.failed(error(event)),
            "canceled" => message.canceled(),
            "rejected" => message.rejected(None),
            "incomplete" => message.incomplete(),
            other => panic!("status {other}"),
        }
    }

    fn content(&mut self, status: &str, event: &Value) -> Result<WireEvent, Misuse> {
        let id = text(event, "msg_id").to_owned();
        let index = event.get("index").unwrap().to_json();
        let message = &self.messages[&id];
        let delta = event.get("delta") == Some(&Value::Bool(true));
        let known = self.contents.get(&(id.clone(), index.clone()));
        if status == "completed" {
            return match known {
                Some(content) => content.complete(),
                None => message.add_content(payload(event)),
            };
        }
        if status != "in_progress" {
            return Err(misuse());
        }
        let content = match known {
            Some(content) => content.clone(),
            None => message.create_content_builder(text(event, "type"))?,
        };
        self.contents.insert((id, index), content.clone());
        match (payload(event), delta) {
            (Payload::Text { text }, true) => content.add_text_delta(&text.unwrap()),
            (Payload::Data { data }, true) => content.add_data_delta(data.unwrap()),
            (Payload::Refusal { refusal }, true) => content.add_refusal_delta(&refusal.unwrap()),
            (Payload::Text { text }, false) => content.set_text(text.unwrap()),
            (Payload::Data { data }, false) => content.set_data(data.unwrap()),
            (Payload::Image { image_url }, false) => content.set_image_url(image_url.unwrap()),
            (Payload::Video { video_url }, false) => content.set_video_url(video_url.unwrap()),
            (Payload::Refusal { refusal }, false) => content.set_refusal(refusal.unwrap()),
            (Payload::Audio { data, format }, false) => content.set_audio(data.unwrap(), format.as_deref()),
            (Payload::File { file_url, file_id, filename, file_data }, false) => {
                content.set_file(FileFields { file_url, file_id, filename, file_data })
            }
            (payload, delta) => panic!("{payload:?}, delta {delta}"),
        }
    }
}

/// What the builder has no call for.
fn misuse() -> Misuse {
    let options = BuilderOptions::new(Recorded(VecDeque::new()), || 0);
    ResponseBuilder::new(options).completed().unwrap_err()
}

fn payload(event: &Value) -> Payload {
    let value = |name| event.get(name).filter(|v| !v.is_null()).cloned();
    let string = |name| value(name).map(|v| v.as_str().unwrap().to_owned());
    match text(event, "type") {
        "text" => Payload::Text { text: string("text") },
        "image" => Payload::Image { image_url: string("image_url") },
        "video" => Payload::Video { video_url: string("video_url") },
        "refusal" => Payload::Refusal { refusal: string("refusal") },
        "data" => Payload::Data { data: value("data") },
        "audio" => Payload::Audio { data: string("data"), format: string("format") },
        "file" => Payload::File {
            file_url: string("file_url"),
            file_id: string("file_id"),
            filename: string("filename"),
            file_data: string("file_data"),
        },
        other => panic!("type {other}"),
    }
}

fn error(event: &Value) -> ErrorInfo {
    let error = event.get("error").unwrap();
    ErrorInfo::new(text(error, "code"), text(error, "message"))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn number(value: &Value, name: &str) -> i64 {
    value.get(name).unwrap().to_json().parse().unwrap()
}

#[test]
fn generate_streaming_response_makes_n_plus_6_events() {
    let name = "04_builder_generate_streaming_response_seq";
    let (_, bytes, ..) = STREAMS.iter().find(|(n, ..)| *n == name).unwrap();
    let recorded = events(bytes);
    let read: Vec<Value> = recorded.iter().map(|e| Value::parse(e, 64).unwrap()).collect();
    NOW.set(number(&read[0], "created_at"));
    // The id given to the constructor is lost: generating resets first, as upstream does.
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
    let options = BuilderOptions::new(agentwire::core::id::Counter::default(), || 0);
    let response = ResponseBuilder::new(options);
    for tokens in [&tokens[..], &[]] {
        let made = response.generate_streaming_response(tokens, "assistant").unwrap();
        assert_eq!(made.len(), tokens.len() + 6);
        for (event, number) in made.iter().zip(0..) {
            assert_eq!(event.sequence_number(), Some(number));
        }
    }
}
