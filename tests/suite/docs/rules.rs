//! `docs/rules.md` says what the rules say. `BLESS=1 cargo test --test suite docs::rules` writes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use agentwire::ProtocolKind;
use agentwire_cases::Case;

use crate::corpus::broken_by;
use crate::reading::protocol_of;

#[test]
fn the_rules_page_is_up_to_date() {
    let page = page();
    let path = "docs/rules.md";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &page).expect("a writable page");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == page,
        "{path} is not what the rules say; BLESS=1 cargo test --test suite docs::rules"
    );
}

fn page() -> String {
    let mut page = String::from(
        "# Rules\n\n\
         What a stream is judged by. Ids are stable; match on them, count them, link to them.\n\n\
         - **error**: something was lost, cut off or contradictory. `agentwire check` exits with 1.\n\
         - **warning**: against the protocol; what was meant is certain, and the answer is right.\n\
         - **note**: legal or harmless, worth knowing.\n\n\
         The clause is the paragraph of the protocol reference that the rule comes from. The cases are folders of\n\
         `tests/corpus` whose stream breaks the rule.\n",
    );
    for kind in crate::spoken() {
        let _ = write!(page, "\n## {}\n", kind.as_str());
        let cases = cases(kind);
        for rule in kind.rules() {
            let _ = write!(
                page,
                "\n### {}\n\n*{}, clause {}.* Expected: {}. When it is otherwise: {}.\n",
                rule.id,
                rule.severity.as_str(),
                rule.clause,
                rule.expected,
                rule.recovery
            );
            let names = cases.get(rule.id).unwrap_or_else(|| panic!("no case breaks {}", rule.id));
            let names: Vec<String> = names.iter().take(4).map(|name| format!("`{name}`")).collect();
            let _ = writeln!(page, "\nCases: {}.", names.join(", "));
        }
    }
    page
}

/// Rule to the cases that break it, the ones that were written for it first.
fn cases(kind: ProtocolKind) -> BTreeMap<String, Vec<String>> {
    let mut cases: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut sorted = agentwire_cases::reads();
    sorted.retain(|case| protocol_of(case) == kind);
    sorted.sort_by_key(Case::is_recorded);
    for case in sorted {
        for rule in broken_by(&case) {
            let names = cases.entry(rule).or_default();
            if names.last() != Some(&case.name) {
                names.push(case.name.clone());
            }
        }
    }
    cases
}
