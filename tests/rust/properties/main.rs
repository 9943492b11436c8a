//! Properties that must hold for every input.

mod adapt;
mod ag_kit;
mod ag_ui;
#[path = "../integration/ag_kit/client.rs"]
mod client;
mod conversations;
mod deltas;
#[path = "../integration/adapt/facts.rs"]
mod facts;
mod json;
mod outcome;
mod reading;
mod runs;
mod separators;
mod sources;
mod sse;

/// Returns the configuration for this number of cases, times `PROPTEST_CASES_FACTOR` if it is set.
fn cases(count: u32) -> proptest::test_runner::Config {
    let factor = std::env::var("PROPTEST_CASES_FACTOR")
        .ok()
        .and_then(|factor| factor.parse().ok())
        .unwrap_or(1);
    proptest::test_runner::Config::with_cases(count.saturating_mul(factor))
}
