//! Cost against size, which has to stay flat.

use std::time::Instant;

use agentwire::Reader;
use agentwire::agent_api::AgentApi;
use serde::Serialize;

use crate::arguments::Effort;
use crate::contestants::{Answer, readers};
use crate::rounds::{Comparison, Contestant, Spread, compare, spread};
use crate::streams::{self, CHUNK, Stream};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scaling {
    events: Vec<Point>,
    one_event: Vec<Point>,
    messages: Vec<Messages>,
}

/// A size, and the cost of reading that much.
#[derive(Serialize)]
struct Point {
    at: usize,
    /// The number of units of the cost: events, or KiB.
    count: usize,
    #[serde(flatten)]
    comparison: Comparison,
}

/// Nanoseconds with a number of open messages.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Messages {
    at: usize,
    per_event: Spread,
    /// Opening and ending a message, including the response's end.
    per_message: Spread,
}

pub fn all(effort: Effort) -> Result<Scaling, String> {
    let events = [1_000, 10_000, 100_000, 1_000_000].map(|events| {
        eprintln!("native: {events} events");
        let repeats = (100_000 / events).max(1);
        point(
            events,
            events * repeats,
            repeats,
            streams::of_events(events).chunks(CHUNK).collect(),
            effort,
        )
    });
    let one_event = [1, 4, 16, 64].map(|megabytes| {
        eprintln!("native: one event of {megabytes} MB");
        // The limit of an event is 64 MiB.
        let bytes = streams::of_one_event(megabytes * 1_000_000);
        let repeats = (16 / megabytes).max(1);
        point(
            megabytes,
            bytes.len() * repeats / 1024,
            repeats,
            bytes.chunks(1024).collect(),
            effort,
        )
    });
    let messages = [1, 10, 100, 1_000, 10_000].map(|count| messages(count, effort));
    Ok(Scaling {
        events: events.into_iter().collect::<Result<_, _>>()?,
        one_event: one_event.into_iter().collect::<Result<_, _>>()?,
        messages: messages.into(),
    })
}

/// Measures reading these chunks `repeats` times, so that passes of all sizes are long enough for a
/// clock.
fn point(
    at: usize,
    count: usize,
    repeats: usize,
    chunks: Vec<&[u8]>,
    effort: Effort,
) -> Result<Point, String> {
    let repeated = |Contestant { name, informal, pass }| Contestant {
        name,
        informal,
        pass: Box::new(move || {
            (1..repeats).for_each(|_| drop(pass()));
            pass()
        }),
    };
    let readers: Vec<_> = readers(&chunks).into_iter().map(repeated).collect();
    Ok(Point { at, count, comparison: compare(&readers, effort, Answer::digest)? })
}

/// Visits open messages in turn: each time one is announced again and gets 20 deltas, 200,000 in
/// total. The announcement makes every visit equally new to the reader, with one message as with
/// many.
fn messages(count: usize, effort: Effort) -> Messages {
    const VISITS: usize = 10_000;
    const AT_A_TIME: usize = 20;
    eprintln!("native: {count} messages");
    let mut stream = Stream::new();
    let mut open: Vec<_> = (0..count).map(|number| stream.open(number)).collect();
    let opening = stream.take();
    for visit in 0..VISITS {
        let message = &mut open[visit % count];
        stream.announce(message);
        (0..AT_A_TIME).for_each(|_| stream.delta(message));
    }
    let visits = stream.take();
    open.iter().for_each(|message| stream.close(message));
    stream.end();
    let closing = stream.take();

    let (mut per_event, mut per_message) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds.clamp(3, 11) {
        let mut reader = Reader::new(AgentApi::default());
        let mut push = |bytes: &[u8]| {
            let before = Instant::now();
            bytes.chunks(CHUNK).for_each(|chunk| {
                reader.push(chunk);
            });
            before.elapsed().as_nanos() as f64
        };
        let opened = push(&opening);
        per_event.push(push(&visits) / (VISITS * (1 + AT_A_TIME)) as f64);
        let closed = push(&closing);
        per_message.push((opened + closed) / count as f64);
        assert_eq!(reader.finish().snapshot.response.output.len(), count);
    }
    Messages { at: count, per_event: spread(&per_event), per_message: spread(&per_message) }
}
