//! Runs: with any broken connections and repeated events, the client's snapshot is the
//! uninterrupted one.

use std::collections::BTreeSet;

use agentwire::Reader;
use agentwire::ag_ui::AgUi;
use agentwire::runs::follow::{FollowEnd, FollowSettings, FollowStep, Follower};
use agentwire::runs::log::{EventLog, Subscription, SubscriptionEnd, run_error};
use proptest::prelude::*;

/// One connection: its fault, and the events that the service stores before it.
#[derive(Clone, Debug)]
struct Connection {
    /// How many events are appended first.
    appended: usize,
    kind: Kind,
    /// The number of bytes after which it is interrupted.
    bytes: usize,
    /// How large the chunks are.
    chunk: usize,
}

#[derive(Clone, Debug)]
enum Kind {
    Fine,
    /// It repeats this number of frames before it continues.
    Redelivers(usize),
    /// It starts from the beginning and ignores the cursor.
    ForgetsTheCursor,
    /// It sends each frame twice.
    Doubles,
    /// It sends the frames of other runs too.
    Unfiltered,
    Answers(u16),
    Fails,
    /// It refuses the cursor, as if the log had been lost.
    LosesTheLog,
}

fn connection() -> impl Strategy<Value = Connection> {
    let kind = prop_oneof![
        6 => Just(Kind::Fine),
        2 => (1..6usize).prop_map(Kind::Redelivers),
        1 => Just(Kind::ForgetsTheCursor),
        1 => Just(Kind::Doubles),
        2 => Just(Kind::Unfiltered),
        1 => proptest::sample::select(&[429u16, 500, 502, 503][..]).prop_map(Kind::Answers),
        1 => Just(Kind::Fails),
        1 => Just(Kind::LosesTheLog),
    ];
    (0..6usize, kind, 0..900usize, 1..70usize)
        .prop_map(|(appended, kind, bytes, chunk)| Connection { appended, kind, bytes, chunk })
}

/// The events of a run, some of them without its id, and its end: regular, or because its process
/// was killed.
fn run(id: &'static str) -> impl Strategy<Value = Vec<String>> {
    let delta = proptest::sample::select(&["a", "你", r"\ud83d", r"\ude00", r"\n", r#"\""#][..]);
    let piece = (0..2, delta, any::<bool>()).prop_map(move |(message, delta, named)| {
        let named = if named { format!(r#","runId":"{id}""#) } else { String::new() };
        format!(
            r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m{message}","delta":"{delta}"{named}}}"#
        )
    });
    (proptest::collection::vec(piece, 0..24), any::<bool>()).prop_map(move |(pieces, killed)| {
        let mut events = vec![format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"{id}"}}"#)];
        for message in 0..2 {
            events.push(format!(
                r#"{{"type":"TEXT_MESSAGE_START","messageId":"m{message}","role":"assistant"}}"#
            ));
        }
        events.extend(pieces);
        if killed {
            events.push(run_error("AGENT_RUN_INTERRUPTED", "the process was killed"));
            return events;
        }
        for message in 0..2 {
            events.push(format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"m{message}"}}"#));
        }
        events.push(format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"{id}"}}"#));
        events
    })
}

/// The snapshot, and the violated rules: their counts may differ, because deltas are validated per
/// event and are replayed as one.
fn folded(stream: &[u8]) -> (String, BTreeSet<&'static str>) {
    let mut reader = Reader::new(AgUi::default());
    reader.push(stream);
    let outcome = reader.finish();
    let violations = outcome.report.violations.iter().map(|violation| violation.rule.id).collect();
    (outcome.snapshot.to_json(), violations)
}

/// The number of the entry that a frame is of.
fn number(frame: &str) -> u64 {
    frame
        .strip_prefix("id: g-")
        .and_then(|rest| rest.lines().next())
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(u64::MAX)
}

/// Returns the body of one response of a server: only stored events, from the position that
/// corresponds to the client's.
fn body(log: &EventLog, last_event_id: Option<&str>, kind: &Kind, sent: &[String]) -> String {
    let mut after = log.position(last_event_id).expect("a cursor of this log");
    let mut out = String::new();
    match kind {
        Kind::Redelivers(frames) => {
            let before: Vec<&String> =
                sent.iter().filter(|frame| number(frame) <= after.number).collect();
            out.extend(
                before[before.len().saturating_sub(*frames)..].iter().map(|frame| frame.as_str()),
            );
        }
        Kind::ForgetsTheCursor => after.number = 0,
        _ => {}
    }
    if matches!(kind, Kind::Unfiltered) {
        for entry in log.after(after.number) {
            let mut reader = Subscription::new(&*entry.run_id, after.clone(), 9);
            reader.read(entry, &mut out);
            reader.flush(&mut out);
        }
        return out;
    }
    let mut reader = Subscription::new("b", after, 9);
    log.read(&mut reader, &mut out);
    if reader.end() != Some(SubscriptionEnd::Terminal) {
        reader.idle(&mut out);
    }
    if matches!(kind, Kind::Doubles) {
        return out.split_inclusive("\n\n").flat_map(|frame| [frame, frame]).collect();
    }
    out
}

proptest! {
    #![proptest_config(crate::cases(500))]

    #[test]
    fn interrupted_and_repeated_events_yield_the_same_snapshot(
        before in run("a"),
        target in run("b"),
        after in run("c"),
        connections in proptest::collection::vec(connection(), 0..40),
        seed in any::<u64>(),
    ) {
        let all: Vec<&String> = before.iter().chain(&target).chain(&after).collect();
        let mut log = EventLog::new("g");
        for event in &all {
            log.append(event).expect("a legal event");
        }
        let mut whole = String::new();
        log.read(&mut Subscription::new("b", log.position(None).expect("the beginning"), 9), &mut whole);
        let expected = folded(whole.as_bytes());

        let mut log = EventLog::new("g");
        let mut waiting = all.into_iter();
        let mut settings = FollowSettings::default();
        settings.seed = seed;
        settings.attempts = u32::MAX;
        let mut follower = Follower::new("b", None, settings);
        let mut stream = Vec::new();
        let mut sent = Vec::new();
        // When all has happened that was to happen, connections work.
        let fine = Connection { appended: 1000, kind: Kind::Fine, bytes: usize::MAX, chunk: 50 };
        let mut connections = connections.into_iter().chain(core::iter::repeat_n(fine, 3));
        loop {
            let (last_event_id, from_start) = match follower.next() {
                FollowStep::Connect { last_event_id, from_start } => (last_event_id.map(str::to_owned), from_start),
                FollowStep::Stop(stop) => {
                    prop_assert_eq!(stop, FollowEnd::Ended);
                    break;
                }
                step => panic!("{step:?}"),
            };
            let Some(Connection { appended, kind, bytes, chunk }) = connections.next() else {
                panic!("the run does not end");
            };
            for event in waiting.by_ref().take(appended) {
                log.append(event).expect("a legal event");
            }
            match kind {
                Kind::Answers(status) => follower.answered(status, "", 10),
                Kind::Fails => follower.closed(),
                Kind::LosesTheLog if last_event_id.is_some() => {
                    follower.answered(422, r#"{"code":"AGENT_INVALID_LAST_EVENT_ID"}"#, 0);
                    if follower.next() == FollowStep::Stop(FollowEnd::Refused) {
                        // Once is enough: a log that is lost again is not waited for.
                        return Ok(());
                    }
                    continue;
                }
                _ => {
                    follower.answered(200, "", 0);
                    if from_start {
                        stream.clear();
                        // Only frames since the reset are sent again: a frame of another run that
                        // does not name its run, without the frames before it, cannot be
                        // recognised.
                        sent.clear();
                    }
                    let body = body(&log, last_event_id.as_deref(), &kind, &sent);
                    let read = &body.as_bytes()[..body.len().min(bytes)];
                    let frames = body.split_inclusive("\n\n").scan(0, |end, frame| {
                        *end += frame.len();
                        (*end <= read.len()).then(|| frame.to_owned())
                    });
                    sent.extend(frames);
                    for chunk in read.chunks(chunk) {
                        follower.push(chunk, &mut stream);
                    }
                    if follower.next() == FollowStep::Read {
                        follower.closed();
                    }
                }
            }
            if let FollowStep::Wait(milliseconds) = follower.next() {
                prop_assert!(milliseconds > 0);
                follower.waited();
            }
        }
        let came = folded(&stream);
        prop_assert_eq!(came, expected);
    }
}
