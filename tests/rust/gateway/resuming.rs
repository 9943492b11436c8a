//! Answers of Gemini Interactions that go on in another connection if theirs is cut, at any byte: no
//! event is lost, and none is there twice.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use agentwire::agent_api::request::{AgentRequest, InputMessage};
use agentwire::interactions::{Interactions, Snapshot};
use agentwire::model::{Model, call_model};
use agentwire::{AnySnapshot, EndReason, ProtocolKind, Reader};

use crate::fake::{Answer, Asked, Fake};
use crate::program::{CLIENTS, Content, Gateway, KEY, ask, assert_legal};
use crate::{AG_UI, converted};

/// The events of an interaction without their ids.
const EVENTS: [&str; 9] = [
    r#"{"event_type":"interaction.created","interaction":{"id":"v1/a","status":"in_progress"}"#,
    r#"{"event_type":"step.start","index":0,"step":{"type":"model_output"}"#,
    r#"{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"1 "}"#,
    r#"{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"é "}"#,
    r#"{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"é "}"#,
    r#"{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"1 "}"#,
    r#"{"event_type":"step.stop","index":0"#,
    r#"{"event_type":"interaction.status_update","interaction_id":"v1/a","status":"in_progress","usage":{"total_tokens":3}"#,
    r#"{"event_type":"interaction.completed","interaction":{"id":"v1/a","status":"completed"}"#,
];

/// Returns the frames of the events whose ids `has_id` selects.
fn frames(end: &str, has_id: impl Fn(usize) -> bool) -> Vec<String> {
    let frame = |(at, event): (usize, &&str)| {
        // The first byte has the meaning of a separator in a query.
        let id = if has_id(at) { format!(r#","event_id":"&e {at}""#) } else { String::new() };
        match at {
            3 => format!(": a comment{end}data:{event}{id}{end}data: }}{end}{end}"),
            5 => format!(": a comment{end}{end}data: {event}{id}}}{end}{end}"),
            _ => format!("event: e{end}data: {event}{id}}}{end}{end}"),
        }
    };
    EVENTS.iter().enumerate().map(frame).collect()
}

/// Returns the place of the event that a request names.
fn last(asked: &Asked) -> usize {
    let query = asked.query.as_deref().unwrap();
    query.strip_prefix("stream=true&last_event_id=%26e+").unwrap().parse().unwrap()
}

/// A server that cuts the first connection at the byte that the text of the user names, and then sends
/// what `more` selects for the place of the last event.
async fn server(
    frames: Vec<String>,
    is_broken: bool,
    more: impl Fn(&[String], usize) -> Vec<u8> + Send + Sync + 'static,
) -> Fake {
    Fake::start(move |asked| {
        if asked.method == "GET" {
            return response(200, more(&frames, last(asked)));
        }
        let digits = asked.text.split("byte ").nth(1).unwrap();
        let digits = digits.split(|digit: char| !digit.is_ascii_digit()).next().unwrap();
        let cut: usize = digits.parse().unwrap();
        let sent = frames.concat().as_bytes()[..cut].to_vec();
        if is_broken { Answer::Broken(sent) } else { response(200, sent) }
    })
    .await
}

fn response(status: u16, body: Vec<u8>) -> Answer {
    Answer::Response(status, vec![("content-type", "text/event-stream".into())], body)
}

/// The events after the last one.
fn after(frames: &[String], last: usize) -> Vec<u8> {
    frames[last + 1..].concat().into_bytes()
}

fn read(stream: &[u8]) -> Snapshot {
    let mut reader = Reader::new(Interactions::default());
    reader.push(stream);
    let outcome = reader.finish();
    assert_eq!(
        (outcome.report.end_reason, &*outcome.report.violations),
        (EndReason::Terminal, &[][..])
    );
    outcome.snapshot
}

fn model_of(fake: &Fake) -> Model {
    let url = format!("{}/v1beta/", fake.url);
    Model::new(ProtocolKind::Interactions, url).unwrap().name("m").key(KEY).unwrap()
}

/// Calls a model. Returns the answer, why it ended, and the error of its bytes.
async fn called(model: &Model, cut: usize) -> (Snapshot, EndReason, usize, Option<String>) {
    let request = AgentRequest::new(vec![InputMessage::user(format!("byte {cut}"))]);
    let mut run = call_model(model, &request).await.unwrap().read();
    let error = loop {
        match run.next_changes().await {
            Ok(Some(_)) => {}
            Ok(None) => break None,
            Err(error) => break Some(error.to_string()),
        }
    };
    let outcome = run.finish();
    let AnySnapshot::Interactions(snapshot) = outcome.snapshot else { panic!("another protocol") };
    let report = outcome.report;
    (*snapshot, report.end_reason, report.violations.len(), error)
}

/// The requests to resume, of which each has the key and no body.
fn resumptions(fake: &Fake) -> usize {
    let asked = fake.asked();
    let resumed = asked.iter().filter(|asked| asked.method == "GET");
    resumed
        .inspect(|asked| {
            assert_eq!(asked.path, "/v1beta/interactions/v1%2Fa");
            assert_eq!(asked.headers["x-goog-api-key"], KEY);
            assert_eq!(asked.headers["accept"], "text/event-stream");
            assert!(!asked.headers.contains_key("content-type") && asked.text.is_empty());
        })
        .count()
}

#[tokio::test]
async fn an_answer_goes_on_at_every_byte() {
    for end in ["\n", "\r\n", "\r"] {
        let frames = frames(end, |_| true);
        let (first, stream) = (frames[0].len(), frames.concat());
        let whole = read(stream.as_bytes());
        assert_eq!(whole.text(), "1 é é 1 ");
        let fake = server(frames, false, after).await;
        let (model, mut resumed) = (model_of(&fake), 0);
        for cut in 0..=stream.len() {
            let (snapshot, reason, violations, error) = called(&model, cut).await;
            // An event is whole at the first byte of its end that can be that of a blank line, and
            // the last one without it.
            let is_begun = cut + usize::from(end == "\r\n") >= first;
            let is_whole =
                stream[..].get(..cut).is_some_and(|sent| sent.trim_end() == stream.trim_end());
            resumed += usize::from(is_begun && !is_whole);
            assert_eq!(resumptions(&fake), resumed, "{end:?} {cut}");
            assert_eq!(error, None);
            if is_begun {
                // The end of the last event may be missing.
                let most = usize::from(is_whole);
                assert!(violations <= most, "{end:?} {cut}");
                assert_eq!(reason, EndReason::Terminal, "{end:?} {cut}");
                assert_eq!(snapshot, whole, "{end:?} {cut}");
            } else {
                assert_ne!(reason, EndReason::Terminal, "{end:?} {cut}");
            }
        }
        assert!(resumed > 700, "{resumed}");
    }
}

/// The ends of all events but the last, and a place inside of each.
fn cuts(frames: &[String]) -> Vec<usize> {
    let mut ends = vec![0];
    ends.extend(frames.iter().scan(0, |at, frame| {
        *at += frame.len();
        Some(*at)
    }));
    let middle = ends.windows(2).skip(1).map(|two| usize::midpoint(two[0], two[1]));
    ends[1..frames.len()].iter().copied().chain(middle).collect()
}

#[tokio::test]
async fn an_answer_goes_on_after_an_error_of_its_connection() {
    let frames = frames("\n", |_| true);
    let (whole, cuts) = (read(frames.concat().as_bytes()), cuts(&frames));
    let fake = server(frames, true, after).await;
    let model = model_of(&fake);
    for (at, cut) in cuts.into_iter().enumerate() {
        let expected = (whole.clone(), EndReason::Terminal, 0, None);
        assert_eq!(called(&model, cut).await, expected, "byte {cut}");
        assert_eq!(resumptions(&fake), at + 1);
    }
}

/// Servers that begin anew, repeat the last event, or begin each connection with the first event;
/// and events without ids, which are sent again because they follow the last one with an id.
#[tokio::test]
async fn repeated_events_are_left_out() {
    type More = fn(&[String], usize) -> Vec<u8>;
    let all: More = |frames, _| frames.concat().into_bytes();
    let inclusive: More = |frames, last| frames[last..].concat().into_bytes();
    let earlier: More = |frames, last| frames[last.saturating_sub(2)..].concat().into_bytes();
    let created: More = |frames, last| [frames[0].as_bytes(), &after(frames, last)].concat();
    let marked: More = |frames, last| ["\u{feff}".as_bytes(), &after(frames, last)].concat();
    let ids: [fn(usize) -> bool; 4] = [|_| true, |at| at % 2 == 0, |at| at % 3 == 0, |at| at < 2];
    for has_id in ids {
        let frames = frames("\n", has_id);
        let whole = read(frames.concat().as_bytes());
        for (name, more) in [
            ("after", after as More),
            ("all", all),
            ("inclusive", inclusive),
            ("earlier", earlier),
            ("created", created),
            ("marked", marked),
        ] {
            // Whether an event without an id is new is known only after the last one with an id.
            if matches!(name, "created" | "earlier") && !(0..EVENTS.len()).all(has_id) {
                continue;
            }
            let model = model_of(&server(frames.clone(), false, more).await);
            for cut in cuts(&frames) {
                let expected = (whole.clone(), EndReason::Terminal, 0, None);
                assert_eq!(called(&model, cut).await, expected, "{name}, byte {cut}");
            }
        }
    }
}

/// A server that sends one event for each connection.
#[tokio::test]
async fn an_answer_goes_on_through_many_connections() {
    let frames = frames("\n", |_| true);
    let whole = read(frames.concat().as_bytes());
    let first = frames[0].len();
    let fake = server(frames, false, |frames, last| frames[last + 1].clone().into_bytes()).await;
    assert_eq!(called(&model_of(&fake), first).await, (whole, EndReason::Terminal, 0, None));
    assert_eq!(resumptions(&fake), EVENTS.len() - 1);
}

type Refusal = Box<dyn Fn() -> Answer + Send + Sync>;

/// A server that refuses to resume; the answer then ends as its connection did.
#[tokio::test]
async fn an_answer_that_cannot_be_resumed_ends_where_it_was_cut() {
    const PAGE: &[u8] = b"<!doctype html><p>Sign in</p>";
    let frames = frames("\n", |_| true);
    let cut = frames[..3].concat().len() + 20;
    for is_broken in [false, true] {
        let all = frames.clone();
        let outcomes: Vec<(&str, Refusal, usize)> = vec![
            ("not found", Box::new(|| response(404, b"{}".to_vec())), 1),
            ("gone", Box::new(|| response(410, vec![])), 1),
            ("refused", Box::new(|| response(400, vec![])), 1),
            ("moved", Box::new(|| response(302, vec![])), 1),
            ("failed", Box::new(|| response(500, b"{}".to_vec())), 3),
            ("empty", Box::new(|| response(200, vec![])), 3),
            ("page", Box::new(|| response(200, PAGE.to_vec())), 3),
            // It never comes further than the connection before.
            ("the same", Box::new(move || response(200, all[..3].concat().into())), 3),
            ("broken", Box::new(|| Answer::Broken(vec![])), 3),
        ];
        for (name, answer, expected) in outcomes {
            let sent = frames.concat().as_bytes()[..cut].to_vec();
            let fake = Fake::start(move |asked| match (&*asked.method, is_broken) {
                ("GET", _) => answer(),
                (_, true) => Answer::Broken(sent.clone()),
                (_, false) => response(200, sent.clone()),
            })
            .await;
            let (snapshot, reason, _, error) = called(&model_of(&fake), 0).await;
            assert_eq!(snapshot.text(), "1 ", "{name}");
            assert_eq!(resumptions(&fake), expected, "{name}");
            let has_failed = is_broken || name == "broken";
            assert_eq!(error.is_some(), has_failed, "{name}: {error:?}");
            assert_ne!(reason, EndReason::Terminal, "{name}");
            assert_eq!(snapshot.last_event_id.as_deref(), Some("&e 2"), "{name}");
        }
    }
}

#[tokio::test]
async fn an_answer_goes_on_after_a_failure_to_resume_it() {
    let frames = frames("\n", |_| true);
    let (whole, sent) = (read(frames.concat().as_bytes()), frames[..3].concat());
    let asked_before = AtomicUsize::new(0);
    let fake = Fake::start(move |asked| match &*asked.method {
        "GET" => match asked_before.fetch_add(1, SeqCst) {
            0 => response(500, vec![]),
            1 => Answer::Broken(vec![]),
            _ => response(200, after(&frames, last(asked))),
        },
        _ => Answer::Broken(sent.clone().into()),
    })
    .await;
    assert_eq!(called(&model_of(&fake), 0).await, (whole, EndReason::Terminal, 0, None));
    assert_eq!(resumptions(&fake), 3);
}

/// Without ids, nothing is held back and nothing is requested again. Neither is what follows an error.
#[tokio::test]
async fn only_an_answer_with_ids_and_without_an_end_is_resumed() {
    let error = r#"data: {"event_type":"error","error":{"message":"m"}}"#;
    for (name, sent, is_begun) in [
        ("none", frames("\n", |_| false)[..3].concat(), true),
        ("no id of the interaction", frames("\n", |_| true)[1..3].concat(), true),
        ("an error", [&*frames("\n", |_| true)[..3].concat(), error].concat(), true),
        (
            "a loose error",
            frames("\n", |_| true)[..3].concat() + r#"{"error":{"message":"m"}}"#,
            true,
        ),
        ("json", r#"{"id":"v1/a","status":"in_progress","steps":[]}"#.to_owned(), false),
    ] {
        let fake = Fake::start(move |_| response(200, sent.clone().into())).await;
        let (snapshot, _, _, error) = called(&model_of(&fake), 0).await;
        assert_eq!(error, None, "{name}");
        assert_eq!(fake.asked().len(), 1, "{name}");
        assert_eq!(snapshot.text(), if is_begun { "1 " } else { "" }, "{name}");
        assert_eq!(snapshot.error.is_some(), name.ends_with("error"), "{name}");
    }
}

#[tokio::test]
async fn the_gateway_goes_on_with_the_answer_of_an_upstream() {
    let frames = frames("\n", |_| true);
    let (stream, cuts) = (frames.concat(), cuts(&frames));
    for is_broken in [false, true] {
        let fake = server(frames.clone(), is_broken, after).await;
        let arguments = ["--upstream-protocol", "interactions", "--model", "m"];
        let gateway = Gateway::start(&format!("{}/v1beta", fake.url), &arguments).await;
        for client in CLIENTS {
            let expected = converted(ProtocolKind::Interactions, client.0, stream.as_bytes());
            let expected = Content::of(client.0, expected.as_bytes());
            for cut in &cuts {
                let before = resumptions(&fake);
                let answer = ask(&gateway.url, client, &format!("byte {cut}")).await;
                assert_legal(client.0, &answer);
                assert_eq!(Content::of(client.0, answer.as_bytes()), expected, "byte {cut}");
                assert_eq!(resumptions(&fake), before + 1, "byte {cut}");
            }
        }
        for at in 0..cuts.len() * CLIENTS.len() {
            assert_eq!(gateway.logged(at).await["error"], serde_json::Value::Null);
        }
    }
}

/// A client of the gateway receives the error of the connection if the answer cannot be resumed.
#[tokio::test]
async fn the_gateway_reports_an_answer_that_cannot_be_resumed() {
    let frames = frames("\n", |_| true);
    for (status, expected) in [(404, 1), (410, 1), (500, 3)] {
        let sent = frames[..3].concat();
        let fake = Fake::start(move |asked| match &*asked.method {
            "GET" => response(status, b"{}".to_vec()),
            _ => Answer::Broken(sent.clone().into()),
        })
        .await;
        let arguments = ["--upstream-protocol", "interactions", "--model", "m"];
        let gateway = Gateway::start(&format!("{}/v1beta", fake.url), &arguments).await;
        let answer = ask(&gateway.url, AG_UI, "hi").await;
        assert!(answer.contains("1 ") && answer.contains("upstream_cut_off"), "{answer}");
        assert_eq!(resumptions(&fake), expected);
        assert_eq!(gateway.logged(0).await["error"], "upstream_cut_off");
    }
}
