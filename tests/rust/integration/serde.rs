//! Everything that the crate reads survives a round trip through serde.

use agentwire::ag_kit::request::SendMessageInput;
use agentwire::agent_api::request::AgentRequest;
use agentwire::agent_api::{Content, Message, Response};
use agentwire::hub::conversation::Conversation;
use agentwire::json::Value;
use agentwire::read::{AnyOutcome, EventReader, ReadOptions, StreamEntry};
use agentwire::{AnySnapshot, Outcome, ProtocolKind, Report, Violation, ag_kit, ag_ui, agent_api};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::reading::{options, protocol_of, read};

fn round_trip<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let json = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(serde_json::to_string(&back).unwrap(), json);
    back
}

/// Has integers of more than 64 bits and other spellings of floats: equal as numbers, not as
/// digits.
const OTHER_DIGITS: &str = "46_numbers_and_keys";

fn read_all() -> impl Iterator<Item = (String, AnyOutcome)> {
    let cases = agentwire_cases::reads().into_iter();
    cases.map(|case| {
        let outcome = read(protocol_of(&case), options(&case), [&case.stream()[..]]);
        (case.to_string(), outcome)
    })
}

#[test]
fn every_outcome_of_the_corpus_round_trips() {
    let mut protocols = std::collections::BTreeSet::new();
    for (name, outcome) in read_all() {
        let back = round_trip(&outcome);
        if name.ends_with(OTHER_DIGITS) {
            continue;
        }
        match (&outcome.snapshot, &back.snapshot) {
            (AnySnapshot::AgentApi(one), AnySnapshot::AgentApi(other)) => {
                assert_eq!(one, other, "{name}")
            }
            (AnySnapshot::AgentScope(one), AnySnapshot::AgentScope(other)) => {
                assert_eq!(one, other, "{name}")
            }
            (AnySnapshot::AgKit(one), AnySnapshot::AgKit(other)) => {
                assert_eq!(one, other, "{name}")
            }
            (AnySnapshot::AgUi(one), AnySnapshot::AgUi(other)) => assert_eq!(one, other, "{name}"),
            (AnySnapshot::A2a(one), AnySnapshot::A2a(other)) => assert_eq!(one, other, "{name}"),
            (AnySnapshot::Responses(one), AnySnapshot::Responses(other)) => {
                assert_eq!(one, other, "{name}")
            }
            (AnySnapshot::AiSdk(one), AnySnapshot::AiSdk(other)) => {
                assert_eq!(one, other, "{name}")
            }
            (AnySnapshot::Chat(one), AnySnapshot::Chat(other)) => assert_eq!(one, other, "{name}"),
            (AnySnapshot::Anthropic(one), AnySnapshot::Anthropic(other)) => {
                assert_eq!(one, other, "{name}")
            }
            (AnySnapshot::Gemini(one), AnySnapshot::Gemini(other)) => {
                assert_eq!(one, other, "{name}")
            }
            (AnySnapshot::Interactions(one), AnySnapshot::Interactions(other)) => {
                assert_eq!(one, other, "{name}")
            }
            other => panic!("{name}: {other:?}"),
        }
        assert_eq!(back.report.violations, outcome.report.violations, "{name}");
        assert_eq!(back.report.counts, outcome.report.counts, "{name}");
        protocols.insert(outcome.snapshot.protocol().as_str());
    }
    assert_eq!(protocols.len(), ProtocolKind::READABLE.len());
}

#[test]
fn the_parts_of_a_response_round_trip() {
    let mut contents = 0;
    for (name, outcome) in read_all() {
        let AnySnapshot::AgentApi(snapshot) = outcome.snapshot else { continue };
        if name.ends_with(OTHER_DIGITS) {
            continue;
        }
        assert_eq!(round_trip::<Response>(&snapshot.response), snapshot.response, "{name}");
        for message in &snapshot.response.output {
            assert_eq!(round_trip::<Message>(message), *message, "{name}");
            for content in &message.content {
                assert_eq!(round_trip::<Content>(content), *content, "{name}");
                contents += 1;
            }
        }
    }
    assert!(contents > 100, "{contents}");
}

#[test]
fn types_are_selected_by_their_tag_and_wrong_ones_are_rejected() {
    let turn: Outcome<ag_kit::Snapshot> = serde_json::from_str(
        r#"{"snapshot":{"status":"interrupted","parts":[{"type":"text","text":"a"},{"type":"interrupt","id":"i","payload":1}]},"report":{"ended":"terminal"}}"#,
    )
    .unwrap();
    assert_eq!((turn.snapshot.text().as_str(), turn.snapshot.interrupts().count()), ("a", 1));
    assert_eq!(turn.report.end_reason, agentwire::EndReason::Terminal);
    let wrong =
        |json: &str| serde_json::from_str::<ag_kit::Snapshot>(json).unwrap_err().to_string();
    assert_eq!(
        wrong(r#"{"parts":[{"type":"text","text":1}]}"#),
        "parts: text: a string is expected here"
    );
    assert_eq!(
        wrong(r#"{"parts":[{"type":"song"}]}"#),
        "parts: no object here has the type `song`"
    );
    assert_eq!(wrong(r#"{"parts":{}}"#), "parts: an array is expected here");
    assert_eq!(wrong("[]"), "an object is expected here");
    assert!(serde_json::from_str::<ag_kit::Status>("\"sleeping\"").is_err());
    let open: agent_api::Role = serde_json::from_str("\"critic\"").unwrap();
    assert_eq!(open, agent_api::Role::Other("critic".to_owned()));
    assert!(serde_json::from_str::<ag_ui::Snapshot>("{\"messages\":1}").is_err());
    assert!(serde_json::from_str::<Violation>(r#"{"rule":"no-such-rule"}"#).is_err());
    assert!(serde_json::from_str::<Report>("{\"ended\":\"later\"}").is_err());
}

#[test]
fn requests_round_trip() {
    let asked = r#"{"input":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"session_id":"s","stop":["x"],"temperature":0.5}"#;
    let request: AgentRequest = serde_json::from_str(asked).unwrap();
    assert_eq!(round_trip(&request), request);
    let refused =
        serde_json::from_str::<AgentRequest>(r#"{"input":[{"role":1}]}"#).unwrap_err().to_string();
    assert!(refused.starts_with("input.0.role: "), "{refused}");
    let sent = r#"{"messages":[{"role":"user","content":"hi"}],"conversationId":"c"}"#;
    let request: SendMessageInput = serde_json::from_str(sent).unwrap();
    assert_eq!(serde_json::to_string(&round_trip(&request)).unwrap(), sent);
}

#[test]
fn arguments_deserialize_to_a_custom_type() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Unit {
        Celsius,
        Other(String),
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Weather {
        city: String,
        days: Vec<u8>,
        unit: Unit,
        at: Option<f64>,
        id: u64,
    }
    let weather = |json: &str| serde::Deserialize::deserialize(Value::parse(json, 9).unwrap());
    let given: Result<Weather, _> = weather(
        r#"{"city":"北京","days":[1,2],"unit":"celsius","at":null,"id":18446744073709551615}"#,
    );
    assert_eq!(
        given,
        Ok(Weather {
            city: "北京".to_owned(),
            days: vec![1, 2],
            unit: Unit::Celsius,
            at: None,
            id: u64::MAX
        })
    );
    let given: Result<Weather, _> =
        weather(r#"{"city":"","days":[],"unit":{"other":"K"},"at":1.5,"id":0}"#);
    assert_eq!(given.unwrap().unit, Unit::Other("K".to_owned()));
    let wrong: Result<Weather, _> = weather(r#"{"city":"","days":[300],"unit":"celsius","id":0}"#);
    assert!(wrong.is_err());
}

#[test]
fn numbers_keep_the_digits_that_the_format_provides() {
    for number in ["0", "-1", "9223372036854775807", "18446744073709551615", "1.5", "1e300"] {
        let value = Value::parse(number, 1).unwrap();
        let back = round_trip(&value);
        assert_eq!(serde_json::to_string(&back).unwrap(), serde_json::to_string(&value).unwrap());
    }
}

/// Reads the events of a stream of the corpus, and returns how many were compared.
fn events_round_trip<T>(case: &agentwire_cases::Case, decode: impl Fn(&str) -> Option<T>) -> usize
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let mut reader = EventReader::new(Some(protocol_of(case)), &ReadOptions::default());
    let mut entries: Vec<StreamEntry> = reader.push(&case.stream());
    entries.extend(reader.finish());
    let events = entries.into_iter().filter_map(|entry| match entry {
        StreamEntry::Event(event) if event.fault.is_none() => decode(&event.data),
        _ => None,
    });
    let events: Vec<T> = events.collect();
    for event in &events {
        let back = round_trip(event);
        if !case.to_string().ends_with(OTHER_DIGITS) {
            assert_eq!(round_trip(&back), back, "{case}");
            let value = serde_json::to_value(event).unwrap();
            let from_value: T = serde_json::from_value(value.clone()).unwrap();
            // The members of `serde_json::Value` are sorted.
            assert_eq!(serde_json::to_value(&from_value).unwrap(), value, "{case}");
        }
    }
    events.len()
}

#[test]
fn every_event_of_the_corpus_round_trips() {
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for case in agentwire_cases::reads() {
        let protocol = protocol_of(&case);
        macro_rules! events {
            ($($Kind:ident = $module:ident),*) => {
                match protocol {
                    $(ProtocolKind::$Kind => events_round_trip(&case, |data| {
                        agentwire::$module::events::Event::decode(data, 512).ok().map(|event| event.into_owned())
                    }),)*
                    _ => continue,
                }
            };
        }
        // Events of the Agent API borrow from their document.
        *counts.entry(protocol.as_str()).or_default() += events!(
            AgentScope = agentscope,
            AgKit = ag_kit,
            AgUi = ag_ui,
            A2a = a2a,
            Responses = responses,
            AiSdk = ai_sdk,
            Chat = chat,
            Anthropic = anthropic,
            Gemini = gemini,
            Interactions = interactions
        );
    }
    assert!(
        counts.len() == ProtocolKind::READABLE.len() - 1
            && counts.values().all(|count| *count > 50),
        "{counts:?}"
    );
}

#[test]
fn the_end_of_a_stream_is_a_string() {
    let end = serde_json::to_string(&ag_kit::events::Event::Done).unwrap();
    assert_eq!(end, r#""[DONE]""#);
    let back: ag_kit::events::Event<'static> = serde_json::from_str(&end).unwrap();
    assert_eq!(back, ag_kit::events::Event::Done);
    let error = serde_json::from_str::<ag_kit::events::Event<'static>>("[1]").unwrap_err();
    assert!(error.to_string().contains("object"), "{error}");
}

#[test]
fn conversations_round_trip() {
    for (protocol, request) in crate::conversations::REQUESTS {
        let limits = agentwire::Limits::default();
        let conversation = Conversation::read(*protocol, request, &limits).unwrap();
        assert_eq!(round_trip(&conversation), conversation, "{protocol:?}");
        let value = serde_json::to_value(&conversation).unwrap();
        let from_value: Conversation = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&from_value).unwrap(), value, "{protocol:?}");
    }
    let empty: Conversation = serde_json::from_str("{}").unwrap();
    assert_eq!(empty, Conversation::default());
    let unknown = r#"{"settings":{"scalars":{"mood":1}}}"#;
    let error = serde_json::from_str::<Conversation>(unknown).unwrap_err();
    assert!(error.to_string().contains("this build has no setting `mood`"), "{error}");
}
