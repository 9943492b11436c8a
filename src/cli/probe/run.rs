//! Sends the requests of a contract and judges their responses.

use std::collections::BTreeSet;

use super::check::{Check, Contract, Fault, Judged, Level, Scenario};
use super::client::{Client, NoResponse};
use super::evidence::{Answer, Answers, Evidence};
use super::sent::{Asking, Target};

/// After so many requests that the server has not answered in time, no further one is sent.
const MOST_UNANSWERED: usize = 2;

/// The results of a probe.
pub struct Findings {
    /// The checks with their results, in the order in which they were judged.
    pub checks: Vec<(&'static Check, Judged)>,
    /// The number of requests that were sent.
    pub requests: usize,
}

/// The number of checks with each result.
#[derive(Default)]
pub struct Tally {
    pub passed: usize,
    /// Those of the level `must`.
    pub failed: usize,
    /// Those of the level `should`.
    pub warned: usize,
    pub skipped: usize,
}

/// Receives the progress of a probe.
pub trait Progress {
    /// A request is sent.
    fn asking(&mut self, scenario: &'static Scenario);
    /// A check was judged.
    fn judged(&mut self, check: &'static Check, result: &Judged);
}

/// Runs checks of a contract.
///
/// # Errors
///
/// The reason why the server cannot be reached.
pub async fn run(
    contract: &Contract,
    target: &Target,
    client: &Client,
    checks: &[&'static Check],
    progress: &mut impl Progress,
) -> Result<Findings, String> {
    let mut answers = Answers::default();
    let mut findings = Findings { checks: Vec::new(), requests: 0 };
    let mut unanswered = 0;
    let needed = needed(contract, checks);
    for scenario in contract.scenarios.iter().filter(|scenario| needed.contains(scenario.name)) {
        let asking = Asking { contract, target, answers: &answers };
        let answer = match (scenario.request)(&asking) {
            Err(fault) => Err(fault),
            Ok(_) if unanswered >= MOST_UNANSWERED => Err(Fault::skipped(
                "it was not asked: the server has left other requests without an answer",
            )),
            Ok(sent) => {
                progress.asking(scenario);
                let response = client.send(&sent.request).await;
                findings.requests += 1;
                match response {
                    Err(error @ NoResponse::Unreachable(_)) if findings.requests == 1 => {
                        return Err(error.to_string());
                    }
                    Err(error) => {
                        unanswered += usize::from(matches!(error, NoResponse::Silent(_)));
                        Err(Fault::failed(error.to_string()))
                    }
                    Ok(response) => {
                        unanswered += usize::from(response.is_endless());
                        Ok(Answer::new(sent, response))
                    }
                }
            }
        };
        answers.insert(scenario.name, answer);
        let ready = checks.iter().filter(|check| check.needs.last() == Some(&scenario.name));
        for check in ready {
            let evidence = Evidence::new(check, contract, &answers);
            let judged = evidence.and_then(|evidence| (check.judge)(&evidence));
            progress.judged(check, &judged);
            findings.checks.push((check, judged));
        }
    }
    Ok(findings)
}

/// Returns the scenarios of checks, with those that they depend on.
fn needed(contract: &Contract, checks: &[&'static Check]) -> BTreeSet<&'static str> {
    let of_checks = checks.iter().flat_map(|check| check.needs.iter());
    let mut open: Vec<&str> = of_checks.chain(contract.always).copied().collect();
    let mut needed = BTreeSet::new();
    while let Some(name) = open.pop() {
        if let Some(scenario) = contract.scenario(name)
            && needed.insert(scenario.name)
        {
            open.extend(scenario.after);
        }
    }
    needed
}

impl Findings {
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (check, judged) in &self.checks {
            *match (judged, check.level) {
                (Ok(()), _) => &mut tally.passed,
                (Err(Fault::Skipped(_)), _) => &mut tally.skipped,
                (Err(Fault::Failed(_)), Level::Must) => &mut tally.failed,
                (Err(Fault::Failed(_)), Level::Should) => &mut tally.warned,
            } += 1;
        }
        tally
    }
}
