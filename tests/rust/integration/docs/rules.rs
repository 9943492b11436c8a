//! `docs/reference/rules.md` is printed from the rules.
//! `BLESS=1 cargo test --test integration docs::rules` writes it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agentwire::ProtocolKind;
use agentwire::report::Rule;

use super::clauses::Clauses;
use crate::corpus::broken_by;
use crate::reading::protocol_of;

const HEAD: &str = "\
# Violations

A reader checks a stream against these rules and reports each violation. Rule ids are stable: match on them, count them, link to them.

| severity | meaning |
|---|---|
| error | Something was lost, truncated or contradictory. `agentwire check` exits with status 1. |
| warning | The stream violates the protocol, but its meaning is certain and the snapshot is correct. |
| note | The stream is legal, or the deviation is harmless. |

*Recovery* is the behavior of a lenient reader, which is the default. The source is a [clause](clauses.md) and the upstream text behind it.
";

const COLUMNS: &str =
    "\n| rule | severity | expected | recovery | source |\n|---|---|---|---|---|\n";

#[test]
fn the_rules_page_is_up_to_date() {
    let page = page();
    let path = "docs/reference/rules.md";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(agentwire_cases::path(path), &page).expect("a writable page");
    }
    let committed = std::fs::read_to_string(agentwire_cases::path(path)).unwrap_or_default();
    assert!(
        committed == page,
        "{path} differs from the rules; BLESS=1 cargo test --test integration docs::rules"
    );
}

#[test]
fn every_rule_is_violated_by_a_case() {
    for kind in crate::spoken() {
        let cases = agentwire_cases::reads().into_iter().filter(|case| protocol_of(case) == kind);
        let violated: BTreeSet<String> = cases.flat_map(|case| broken_by(&case)).collect();
        let untested: Vec<&str> =
            kind.rules().iter().map(|rule| rule.id).filter(|id| !violated.contains(*id)).collect();
        assert!(untested.is_empty(), "{}: {untested:?}", kind.as_str());
    }
}

fn page() -> String {
    let clauses = Clauses::read();
    let protocols: Vec<ProtocolKind> = crate::spoken().collect();
    let is_shared = |rule: &&Rule| {
        protocols.iter().all(|kind| kind.rules().iter().any(|other| std::ptr::eq(*other, *rule)))
    };
    let mut page = String::from(HEAD);
    page += "\n## All protocols\n";
    page += COLUMNS;
    protocols[0]
        .rules()
        .iter()
        .copied()
        .filter(is_shared)
        .for_each(|rule| page += &row("all", rule, &clauses));
    for kind in &protocols {
        let _ = write!(page, "\n## {}\n{COLUMNS}", kind.as_str());
        let own = kind.rules().iter().copied().filter(|rule| !is_shared(rule));
        own.for_each(|rule| page += &row(kind.as_str(), rule, &clauses));
    }
    page
}

/// The row of a rule. Its anchor has the name of the protocol, because protocols share names of
/// rules.
fn row(protocol: &str, rule: &Rule, clauses: &Clauses) -> String {
    let Rule { id, severity, expected, recovery, .. } = rule;
    let (severity, source) = (severity.as_str(), clauses.source(rule.clause));
    format!(
        "| <a id=\"{protocol}-{id}\"></a>`{id}` | {severity} | {expected} | {recovery} | {source} |\n"
    )
}
