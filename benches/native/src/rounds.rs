//! Round-robin timing, as in `benches/rounds.mjs`: every round runs every contestant once, in an
//! order that alternates, and ratios are taken inside a round.

use std::time::Instant;

use cpu_time::ProcessTime;
use serde::Serialize;

use crate::arguments::Effort;

/// A contestant that runs whole passes over an input.
pub struct Contestant<'i, T> {
    pub name: &'static str,
    /// Measured for information, without a target.
    pub informal: bool,
    pub pass: Box<dyn Fn() -> T + 'i>,
}

/// Median and spread of a figure.
#[derive(Clone, Copy, Serialize)]
pub struct Spread {
    pub median: f64,
    p10: f64,
    p90: f64,
}

/// The first contestant and the others.
#[derive(Serialize)]
pub struct Comparison {
    digest: String,
    rounds: usize,
    subject: Row,
    opponents: Vec<Row>,
}

/// Times are milliseconds; ratios are this contestant's time divided by the first one's.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: &'static str,
    informal: bool,
    wall: Spread,
    cpu: Spread,
    ratio: Spread,
    cpu_ratio: Spread,
}

#[derive(Default)]
struct Times {
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

/// Compares the first contestant with the others. All answers must be equal, or the measurement
/// fails.
pub fn compare<T>(
    contestants: &[Contestant<'_, T>],
    effort: Effort,
    digest: impl Fn(&T) -> String,
) -> Result<Comparison, String> {
    let mut digests = contestants.iter().map(|contestant| digest(&(contestant.pass)()));
    let expected = digests.next().unwrap_or_default();
    if let Some((at, other)) = digests.enumerate().find(|(_, other)| *other != expected) {
        let (name, first) = (contestants[at + 1].name, contestants[0].name);
        return Err(format!("{name} came to {other}, {first} to {expected}"));
    }
    for _ in 1..effort.warm {
        contestants.iter().for_each(|contestant| drop((contestant.pass)()));
    }
    let mut times: Vec<Times> = contestants.iter().map(|_| Times::default()).collect();
    for round in 0..effort.rounds {
        let order = 0..contestants.len();
        let run = |at: usize| measure(&contestants[at].pass, &mut times[at]);
        if round % 2 == 0 { order.for_each(run) } else { order.rev().for_each(run) }
    }
    let row = |(contestant, time): (&Contestant<'_, T>, &Times)| Row {
        name: contestant.name,
        informal: contestant.informal,
        wall: spread(&time.wall),
        cpu: spread(&time.cpu),
        ratio: ratios(&time.wall, &times[0].wall),
        cpu_ratio: ratios(&time.cpu, &times[0].cpu),
    };
    let mut rows = contestants.iter().zip(&times).map(row);
    let subject = rows.next().ok_or("there is nobody to time")?;
    Ok(Comparison { digest: expected, rounds: effort.rounds, subject, opponents: rows.collect() })
}

/// The result of a pass is dropped after the clocks, as JavaScript would collect it later.
fn measure<T>(pass: impl Fn() -> T, times: &mut Times) {
    let cpu = ProcessTime::now();
    let wall = Instant::now();
    let left = pass();
    times.wall.push(wall.elapsed().as_secs_f64() * 1e3);
    times.cpu.push(cpu.elapsed().as_secs_f64() * 1e3);
    drop(left);
}

fn ratios(times: &[f64], subject: &[f64]) -> Spread {
    let ratios: Vec<f64> =
        times.iter().zip(subject).map(|(time, subject)| time / subject).collect();
    spread(&ratios)
}

pub fn spread(values: &[f64]) -> Spread {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
    let middle = sorted.len() / 2;
    let median = if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        (sorted[middle - 1] + sorted[middle]) / 2.0
    };
    Spread { median, p10: at(0.1), p90: at(0.9) }
}
