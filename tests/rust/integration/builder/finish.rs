//! `finish_with`, from every state.

use super::{STATUSES, builder, foreign, read};
use agentwire::UsageError;
use agentwire::agent_api::builder::{MessageBuilder, ResponseBuilder};
use agentwire::agent_api::{ErrorInfo, MessageType, Payload, Role, RunStatus, Style};
use agentwire::builder::WireEvent;
use agentwire::json::Value;

/// Brings a builder into one state; returns the events so far.
type State = fn(&ResponseBuilder) -> Result<Vec<WireEvent>, UsageError>;

/// Name, a function that reaches the state, and the number of events of `finish_with` for the
/// contents and messages.
const STATES: &[(&str, State, usize)] = &[
    ("nothing", |_| Ok(vec![]), 0),
    ("created", |r| Ok(vec![r.created()?]), 0),
    ("queued", |r| Ok(vec![r.queued()?]), 0),
    ("created and queued", |r| Ok(vec![r.created()?, r.queued()?]), 0),
    ("in progress", begin, 0),
    (
        "message made before anything",
        |r| {
            let message = r.create_message_builder("assistant", "message")?;
            message.create_content_builder("text")?;
            Ok(vec![])
        },
        0,
    ),
    (
        "message made",
        |r| {
            let events = begin(r)?;
            r.create_message_builder("assistant", "message")?;
            Ok(events)
        },
        0,
    ),
    (
        "message open",
        |r| {
            let (mut events, message) = open(r)?;
            events.push(message.in_progress()?);
            Ok(events)
        },
        1,
    ),
    (
        "content made",
        |r| {
            let (events, message) = open(r)?;
            message.create_content_builder("text")?;
            Ok(events)
        },
        1,
    ),
    (
        "value set",
        |r| {
            let (mut events, message) = open(r)?;
            events.push(message.create_content_builder("image")?.set_image_url("u")?);
            Ok(events)
        },
        2,
    ),
    (
        "deltas",
        |r| {
            let (mut events, message) = open(r)?;
            let text = message.create_content_builder("text")?;
            events.extend([text.set_text("a")?, text.add_text_delta("b")?, text.add_delta("")?]);
            Ok(events)
        },
        2,
    ),
    (
        "content complete",
        |r| {
            let (mut events, message) = open(r)?;
            events.push(message.create_content_builder("text")?.complete()?);
            Ok(events)
        },
        1,
    ),
    (
        "two messages interleaved, three contents, one complete",
        |r| {
            let (mut events, first) = open(r)?;
            let second = r.create_message_builder("tool", "plugin_call_output")?;
            events.push(second.in_progress()?);
            let (a, b) =
                (first.create_content_builder("text")?, first.create_content_builder("data")?);
            let c = second.create_content_builder("refusal")?;
            events.push(b.add_data_delta(Value::from([("k", "v".into())]))?);
            events.push(a.add_text_delta("x")?);
            events.push(c.add_refusal_delta("no")?);
            events.push(b.complete()?);
            Ok(events)
        },
        4,
    ),
    (
        "message ended",
        |r| {
            let (mut events, message) = open(r)?;
            events.push(message.add_content(Payload::Text { text: None })?);
            events.push(message.complete()?);
            Ok(events)
        },
        0,
    ),
    (
        "message failed",
        |r| {
            let (mut events, message) = open(r)?;
            events.push(message.failed(ErrorInfo::new("c", "m"))?);
            Ok(events)
        },
        0,
    ),
    (
        "foreign message open",
        |r| {
            let mut events = begin(r)?;
            events.extend(r.add_message(foreign(RunStatus::InProgress, &["x"]))?);
            Ok(events)
        },
        1,
    ),
    (
        "foreign message ended",
        |r| {
            let mut events = begin(r)?;
            events.extend(r.add_message(foreign(RunStatus::Completed, &["x"]))?);
            Ok(events)
        },
        0,
    ),
];

/// The two events every stream begins with.
pub fn begin(response: &ResponseBuilder) -> Result<Vec<WireEvent>, UsageError> {
    Ok(vec![response.created()?, response.in_progress()?])
}

fn open(response: &ResponseBuilder) -> Result<(Vec<WireEvent>, MessageBuilder), UsageError> {
    let mut events = begin(response)?;
    let message = response.create_message_builder(Role::Assistant, MessageType::Message)?;
    events.push(message.in_progress()?);
    Ok((events, message))
}

#[test]
fn finish_with_writes_a_valid_end_from_every_state() {
    for (name, state, closing) in STATES {
        for status in STATUSES {
            for error in [None, Some(ErrorInfo::new("CODE", "text"))] {
                let response = builder();
                let mut events = state(&response).unwrap_or_else(|m| panic!("{name}: {m}"));
                let opening = 2 - events.len().min(2) + usize::from(*name == "created and queued");
                let said = events.len();
                let end = response.finish_with((*status).into(), error.clone());
                assert_eq!(end.len(), opening + closing + 1, "{name}, {status}");
                events.extend(end);
                assert!(response.is_ended());
                let snapshot = read(name, &events);

                let terminal = RunStatus::from(*status);
                let terminal =
                    if terminal.is_terminal() { terminal } else { RunStatus::Incomplete };
                let unknown = || ErrorInfo::new("AGENT_UNKNOWN_ERROR", "Unknown agent error");
                let why = match terminal {
                    RunStatus::Failed => error.clone().or_else(|| Some(unknown())),
                    RunStatus::Rejected | RunStatus::Incomplete => error.clone(),
                    _ => None,
                };
                assert_eq!(snapshot.response.status, terminal, "{name}");
                assert_eq!(snapshot.response.error, why, "{name}");
                assert_eq!(snapshot.response.completed_at.is_some(), *status == "completed");
                for message in &snapshot.response.output {
                    assert!(message.status.is_terminal(), "{name}, {status}");
                }

                // A second end is empty, with any status.
                assert!(response.finish_with(RunStatus::Failed, None).is_empty(), "{name}");
                assert_eq!(response.completed().unwrap_err().code, "after-terminal");
                // The sequence numbers have no gap.
                for (event, number) in events.iter().zip(0..) {
                    assert_eq!(event.sequence_number(), Some(number), "{name}, {said}");
                }
            }
        }
    }
}

#[test]
fn the_snapshot_of_the_reader_equals_the_response_of_the_builder() {
    for (name, state, _) in STATES.iter().filter(|(name, ..)| !name.contains("made")) {
        let response = builder();
        let mut events = state(&response).unwrap();
        events.extend(response.finish_with(RunStatus::Completed, None));
        let read = read(name, &events).response;
        let built = response.get_response_data();
        assert_eq!(read.to_json(Style::Wire), built.to_json(Style::Wire), "{name}");
    }
}

#[test]
fn finish_with_ends_a_single_message() {
    let response = builder();
    let unopened = response.create_message_builder("assistant", "message").unwrap();
    assert!(unopened.finish_with(RunStatus::Failed, None).is_empty());
    let (mut events, message) = open(&response).unwrap();
    let text = message.create_content_builder("text").unwrap();
    events.push(text.add_text_delta("half a sen").unwrap());
    let end = message.finish_with(RunStatus::Incomplete, None);
    assert_eq!(end.len(), 2);
    assert!(end[0].json().contains(r#""text":"half a sen""#), "{}", end[0]);
    events.extend(end);
    assert!(message.finish_with(RunStatus::Incomplete, None).is_empty());
    assert!(unopened.finish_with(RunStatus::Failed, None).is_empty());
    events.push(response.completed().unwrap());
    let snapshot = read("a message alone", &events);
    assert_eq!(snapshot.response.output[0].status, RunStatus::Incomplete);
    // The message was shown, so it is listed, with the status incomplete.
    let last = Value::parse(events.last().unwrap().json(), 64).unwrap();
    let Some(Value::Array(output)) = last.get("output") else { panic!("no list") };
    let said = |name: &str| output[0].get(name).and_then(Value::as_str).map(str::to_owned);
    assert_eq!((output.len(), said("id")), (1, Some(message.id().to_owned())));
    assert_eq!(said("status").as_deref(), Some("incomplete"));
}
