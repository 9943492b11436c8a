//! `docs/rules.md` says what the rules say. `BLESS=1 cargo test --test suite rules_doc` writes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use agentwire::agent_api::rules;
use agentwire::json::Value;

#[test]
fn the_rules_page_is_up_to_date() {
    let page = page();
    let path = "docs/rules.md";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &page).expect("a writable page");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == page, "{path} is not what the rules say; BLESS=1 cargo test --test suite rules_doc");
}

fn page() -> String {
    let cases = cases();
    let mut page = String::from(
        "# Rules\n\n\
         What a stream is judged by. Ids are stable; match on them, count them, link to them.\n\n\
         - **error**: something was lost, cut off or contradictory. `agentwire check` exits with 1.\n\
         - **warning**: against the protocol; what was meant is certain, and the answer is right.\n\
         - **note**: legal or harmless, worth knowing.\n\n\
         The clause is the paragraph of the protocol reference that the rule comes from. The cases are folders of\n\
         `tests/corpus/agent_api` whose stream breaks the rule.\n\n\
         ## Agent API\n",
    );
    for rule in rules::ALL {
        let _ = write!(
            page,
            "\n### {}\n\n*{}, clause {}.* Expected: {}. When it is otherwise: {}.\n",
            rule.id,
            rule.severity.as_str(),
            rule.clause,
            rule.expected,
            rule.recovery
        );
        match cases.get(rule.id) {
            Some(names) => {
                let names: Vec<String> = names.iter().take(4).map(|name| format!("`{name}`")).collect();
                let _ = writeln!(page, "\nCases: {}.", names.join(", "));
            }
            None => page.push_str("\nTests: `tests/suite/agent_api/limits.rs`.\n"),
        }
    }
    page
}

/// Rule to the cases that break it, the ones that were written for it first.
fn cases() -> BTreeMap<String, Vec<String>> {
    let mut cases: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut folders: Vec<_> = std::fs::read_dir("tests/corpus/agent_api")
        .expect("the corpus")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort_by_key(|path| (path.join("server.json").exists(), path.clone()));
    for folder in folders {
        let text = std::fs::read_to_string(folder.join("violations.json")).expect("violations");
        let Ok(Value::Array(list)) = Value::parse(&text, 16) else { panic!("{}", folder.display()) };
        let name = folder.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        for rule in list.iter().filter_map(|violation| violation.get("rule")?.as_str()) {
            let names = cases.entry(rule.to_owned()).or_default();
            if names.last() != Some(&name) {
                names.push(name.clone());
            }
        }
    }
    cases
}
