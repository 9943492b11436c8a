//! The pages of the hub: every event of a protocol is listed with its steps, and every step with
//! its output in every written protocol.

use std::collections::{BTreeMap, BTreeSet};

/// The pages, and how many events, chunks, items or members a protocol has at least; from their
/// documentations.
const PROTOCOLS: [(&str, usize); 11] = [
    ("agent-api", 16),
    ("agentscope", 29),
    ("ag-kit", 8),
    ("ag-ui", 31),
    ("responses", 60),
    ("a2a", 16),
    ("ai-sdk", 31),
    ("chat", 14),
    ("anthropic", 14),
    ("gemini", 14),
    ("interactions", 24),
];

#[test]
fn every_event_is_listed_with_its_steps() {
    let steps = steps();
    for (protocol, least) in PROTOCOLS {
        let rows = rows(protocol, "steps");
        assert!(rows.len() >= least, "{protocol} has {} rows", rows.len());
        for (event, meaning) in &rows {
            let said: Vec<&str> = names(meaning);
            let is_known = !said.is_empty() && said.iter().all(|step| steps.contains(*step));
            let is_left_out = meaning.starts_with("nothing") || meaning.starts_with("lost: ");
            assert!(
                is_known || is_left_out,
                "{protocol}: `{event}` is {meaning}, which is no step of docs/reference/hub.md"
            );
        }
        let events: BTreeSet<&str> = rows.iter().map(|(event, _)| event.as_str()).collect();
        assert_eq!(events.len(), rows.len(), "{protocol} has an event twice");
    }
}

#[test]
fn every_target_lists_each_step_once() {
    let steps = steps();
    for protocol in ["agent-api", "agentscope", "ag-kit", "ag-ui", "responses", "a2a", "ai-sdk"] {
        let mut count = BTreeMap::new();
        for (step, meaning) in rows(protocol, "becomes") {
            assert!(!meaning.is_empty(), "{protocol}: {step}");
            names(&step).iter().for_each(|step| *count.entry((*step).to_owned()).or_insert(0) += 1);
        }
        let once: BTreeSet<String> =
            count.iter().filter(|(_, count)| **count == 1).map(|(step, _)| step.clone()).collect();
        assert_eq!(once, steps, "{protocol} has each step once");
    }
}

/// The names in the first column of the step list.
pub fn steps() -> BTreeSet<String> {
    let page =
        std::fs::read_to_string(agentwire_cases::path("docs/reference/hub.md")).expect("the page");
    let steps: BTreeSet<String> =
        tables(&page, "properties").iter().map(|(step, _)| names(step)[0].to_owned()).collect();
    assert!(steps.len() >= 40, "{steps:?}");
    steps
}

fn rows(protocol: &str, second: &str) -> Vec<(String, String)> {
    tables(
        &std::fs::read_to_string(agentwire_cases::path(&format!(
            "docs/reference/hub/{protocol}.md"
        )))
        .expect("a page"),
        second,
    )
}

/// The first two cells of each row of the tables whose second column has that title.
fn tables(page: &str, second: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells.as_slice() {
            ["", _, title, ..] if *title == second => is_inside = true,
            ["", rule, ..] if rule.starts_with("---") => {}
            ["", first, next, ..] if is_inside => {
                found.push(((*first).to_owned(), (*next).to_owned()))
            }
            _ => is_inside = false,
        }
    }
    found
}

/// Returns the texts between backticks.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}
