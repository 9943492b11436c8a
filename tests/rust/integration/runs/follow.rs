//! The client's side.

use agentwire::runs::follow::{FollowEnd, FollowSettings, FollowStep, Follower};
use agentwire_cases::one;

use super::folded;

fn follower(run: &str) -> Follower {
    Follower::new(run, None, FollowSettings::default())
}

/// Reads one connection to its end.
fn connection(follower: &mut Follower, bytes: &[u8], out: &mut Vec<u8>) {
    assert!(matches!(follower.next(), FollowStep::Connect { .. }), "{:?}", follower.next());
    follower.answered(200, "", 0);
    follower.push(bytes, out);
    follower.closed();
    follower.waited();
}

fn stream(case: &str) -> Vec<u8> {
    one("ag-ui", case).stream()
}

fn cursor(follower: &Follower) -> Option<&str> {
    match follower.next() {
        FollowStep::Connect { last_event_id, .. } => last_event_id,
        other => panic!("{other:?}"),
    }
}

/// E5, E6: events that a server must not send change nothing.
#[test]
fn events_of_other_runs_are_dropped() {
    for (run, filtered) in
        [("run_a", "e03a_two_runs_filtered_to_a"), ("run_b", "e03b_two_runs_filtered_to_b")]
    {
        let mut follower = follower(run);
        let mut out = Vec::new();
        connection(&mut follower, &stream("e03c_unfiltered_violation"), &mut out);
        assert_eq!(follower.next(), FollowStep::Stop(FollowEnd::Ended));
        assert_eq!(folded(&out), folded(&stream(filtered)));
        assert!(follower.counts().foreign > 0);
    }
}

/// E4, E7: an interrupted connection and the next one yield the same as one connection, for an
/// interruption at any byte.
#[test]
fn a_run_continues_after_an_interruption_at_any_byte() {
    let whole = stream("e04c_concatenation");
    let text = String::from_utf8(whole.clone()).unwrap();
    let expected = folded(&whole);
    for cut in 0..whole.len() {
        let mut follower = follower("run_a");
        let mut out = Vec::new();
        connection(&mut follower, &whole[..cut], &mut out);
        if follower.next() == FollowStep::Stop(FollowEnd::Ended) {
            assert_eq!(folded(&out), expected, "{cut}");
            continue;
        }
        let rest = match cursor(&follower) {
            Some(id) => {
                text.split_once(&format!("id: {id}\n")).unwrap().1.split_once("\n\n").unwrap().1
            }
            None => &text,
        };
        connection(&mut follower, rest.as_bytes(), &mut out);
        assert_eq!(follower.next(), FollowStep::Stop(FollowEnd::Ended), "{cut}");
        assert_eq!(folded(&out), expected, "{cut}");
    }
}

/// E8: a server may repeat events.
#[test]
fn repeated_events_are_dropped() {
    let first = stream("e04a_dropped_connection");
    let whole = stream("e04c_concatenation");
    let mut follower = follower("run_a");
    let mut out = Vec::new();
    connection(&mut follower, &first, &mut out);
    let second = first.windows(4).position(|bytes| bytes == b"\nid:").unwrap() + 1;
    connection(&mut follower, &first[second..], &mut out);
    connection(&mut follower, &whole[second..], &mut out);
    assert_eq!(folded(&out), folded(&whole));
    assert_eq!((follower.counts().redelivered, follower.counts().resets), (10, 0));
}

/// A server that ignores the cursor sends the run from its beginning, possibly in other deltas.
#[test]
fn a_server_that_ignores_the_cursor_is_requested_from_the_start() {
    let whole = stream("e04c_concatenation");
    let mut follower = follower("run_a");
    let mut out = Vec::new();
    connection(&mut follower, &stream("e04a_dropped_connection"), &mut out);
    follower.answered(200, "", 0);
    follower.push(&whole, &mut out);
    assert_eq!(follower.next(), FollowStep::Connect { last_event_id: None, from_start: true });
    out.clear();
    connection(&mut follower, &whole, &mut out);
    assert_eq!(folded(&out), folded(&whole));
    assert_eq!(follower.next(), FollowStep::Stop(FollowEnd::Ended));
}

/// E11: a stream without ids restarts from the beginning of the run.
#[test]
fn a_stream_without_ids_restarts() {
    let whole = stream("e12_no_event_line_no_id");
    let mut follower = follower("run_a");
    let mut out = Vec::new();
    connection(&mut follower, &whole[..whole.len() / 2], &mut out);
    assert_eq!(follower.next(), FollowStep::Connect { last_event_id: None, from_start: true });
    assert!(follower.counts().without_id > 0);
    out.clear();
    connection(&mut follower, &whole, &mut out);
    assert_eq!(folded(&out), folded(&whole));
    assert_eq!((follower.counts().resets, follower.counts().redelivered), (1, 0));
}

/// E9, E3: an idle close is not an error, and comments are not events.
#[test]
fn an_idle_connection_is_reopened() {
    let mut follower = follower("run_a");
    let mut out = Vec::new();
    connection(&mut follower, &stream("e09_idle_limit_reached"), &mut out);
    let at = cursor(&follower).map(str::to_owned);
    assert!(at.is_some());
    for _ in 0..100 {
        connection(&mut follower, b": keep-alive\n\n", &mut out);
        assert_eq!(cursor(&follower), at.as_deref());
    }
}

/// E10, E17.
#[test]
fn the_response_status_selects_the_next_step() {
    let problem = r#"{"code":"AGENT_INVALID_LAST_EVENT_ID","status":422}"#;
    let mut lost = Follower::new("a", Some("x-9"), FollowSettings::default());
    assert_eq!(lost.next(), FollowStep::Connect { last_event_id: Some("x-9"), from_start: false });
    lost.answered(422, problem, 0);
    assert_eq!(lost.next(), FollowStep::Connect { last_event_id: None, from_start: true });
    lost.answered(422, problem, 0);
    assert_eq!(lost.next(), FollowStep::Stop(FollowEnd::Refused));

    // A log may be shortened more than once while a run is read.
    let mut often = Follower::new("a", None, FollowSettings::default());
    for resets in 0..5 {
        often.answered(200, "", 0);
        assert_eq!(often.counts().resets, resets);
        often.push(b"id: x-1\ndata: {\"type\":\"CUSTOM\"}\n\n", &mut Vec::new());
        often.closed();
        often.waited();
        often.answered(422, problem, 0);
        assert_eq!(often.next(), FollowStep::Connect { last_event_id: None, from_start: true });
    }

    for status in [400, 401, 403, 404, 409, 410, 422, 301, 501] {
        let mut refused = Follower::new("a", Some("x-9"), FollowSettings::default());
        refused.answered(status, r#"{"code":"SOMETHING_NEW"}"#, 0);
        assert_eq!(refused.next(), FollowStep::Stop(FollowEnd::Refused), "{status}");
    }
    for status in [408, 425, 429, 500, 502, 503, 504] {
        let mut waits = follower("a");
        waits.answered(status, "", 0);
        assert!(matches!(waits.next(), FollowStep::Wait(_)), "{status}");
    }
    let mut over = follower("a");
    over.answered(204, "", 0);
    assert_eq!(over.next(), FollowStep::Stop(FollowEnd::NothingLeft));
}

#[test]
fn waits_grow_have_jitter_and_end() {
    let wait = |follower: &Follower| match follower.next() {
        FollowStep::Wait(milliseconds) => milliseconds,
        other => panic!("{other:?}"),
    };
    let mut settings = FollowSettings::default();
    settings.attempts = 12;
    let mut first_waits = Vec::new();
    for seed in 0..50 {
        settings.seed = seed;
        let mut follower = Follower::new("a", None, settings.clone());
        for attempt in 1..12 {
            follower.closed();
            let milliseconds = wait(&follower);
            let longest = (250u64 << attempt).min(30_000);
            assert!((longest / 2..=longest).contains(&milliseconds), "{attempt}: {milliseconds}");
            if attempt == 1 {
                first_waits.push(milliseconds);
            }
            follower.waited();
        }
        follower.closed();
        assert_eq!(follower.next(), FollowStep::Stop(FollowEnd::GaveUp));
    }
    first_waits.sort_unstable();
    first_waits.dedup();
    assert!(first_waits.len() > 30);
}

#[test]
fn retry_after_and_retry_fields_set_the_wait() {
    let mut busy = follower("a");
    busy.answered(429, "", 90_000);
    assert!(matches!(busy.next(), FollowStep::Wait(90_000..=135_000)), "{:?}", busy.next());
    let mut asked = follower("a");
    asked.answered(200, "", 0);
    asked.push(b"retry: 5000\n\n", &mut Vec::new());
    asked.closed();
    assert!(matches!(asked.next(), FollowStep::Wait(5_000..=7_500)), "{:?}", asked.next());
    // The wait is at most a quarter of an hour.
    let mut hostile = follower("a");
    hostile.answered(503, "", u64::MAX);
    assert!(matches!(hostile.next(), FollowStep::Wait(600_000..=900_000)), "{:?}", hostile.next());
}

#[test]
fn calls_in_a_wrong_state_change_nothing() {
    let mut follower = follower("a");
    follower.push(b"data: {}\n\n", &mut Vec::new());
    follower.waited();
    assert_eq!(follower.next(), FollowStep::Connect { last_event_id: None, from_start: false });
    follower.answered(200, "", 0);
    follower.answered(404, "", 0);
    assert_eq!(follower.next(), FollowStep::Read);
    let mut out = Vec::new();
    let end = "id: 1\ndata: {\"type\":\"RUN_ERROR\",\"message\":\"m\"}\n\nid: 2\ndata: {\"type\":\"CUSTOM\"}\n\n";
    follower.push(end.as_bytes(), &mut out);
    follower.push(end.as_bytes(), &mut out);
    follower.closed();
    follower.waited();
    assert_eq!(follower.next(), FollowStep::Stop(FollowEnd::Ended));
    assert!(!String::from_utf8(out).unwrap().contains("CUSTOM"));
    assert_eq!(follower.cursor(), Some("1"));
}

/// An id must be valid in the header that contains it. Without a cursor the run is read from its
/// beginning.
#[test]
fn an_id_that_is_not_a_valid_header_value_is_not_a_cursor() {
    assert_eq!(
        cursor(&Follower::new("a", Some("x\r\nset-cookie: 1"), FollowSettings::default())),
        None
    );
    for id in ["a\tb", "\u{4f60}", &"x".repeat(4097)] {
        let mut follower = follower("a");
        let frame = ["id: ", id, "\ndata: {\"type\":\"CUSTOM\"}\n\n"].concat();
        connection(&mut follower, frame.as_bytes(), &mut Vec::new());
        assert_eq!(
            follower.next(),
            FollowStep::Connect { last_event_id: None, from_start: true },
            "{id:.9}"
        );
    }
}

#[test]
fn without_a_run_id_all_events_are_read() {
    let mut follower = follower("");
    let mut out = Vec::new();
    let bytes = stream("e03c_unfiltered_violation");
    connection(&mut follower, &bytes, &mut out);
    assert_eq!((follower.counts().events > 0, follower.counts().foreign), (true, 0));
    let frames: &[u8] =
        b"id: g-1\ndata: {\"type\":\"text\",\"content\":\"a\"}\n\nid: g-2\ndata: [DONE]\n\n";
    let mut other = Follower::new("", None, FollowSettings::default());
    let mut text = Vec::new();
    connection(&mut other, frames, &mut text);
    assert_eq!(text, frames);
    assert_eq!(cursor(&other), Some("g-2"));
}
