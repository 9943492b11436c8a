//! `docs/rules.md` says what the rules say. `BLESS=1 cargo test --test suite rules_doc` writes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use agentwire::json::Value;
use agentwire::{Rule, ag_kit, agent_api};

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

/// Title, rules, folder of cases, and the tests of what no case is worth keeping for.
const PROTOCOLS: [(&str, &[&Rule], &str, &str); 2] = [
    ("Agent API", agent_api::rules::ALL, "tests/corpus/agent_api", "tests/suite/agent_api/limits.rs"),
    ("AG-Kit", ag_kit::rules::ALL, "tests/corpus/ag_kit", "tests/suite/ag_kit/limits.rs"),
];

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
    for (title, rules, folder, tests) in PROTOCOLS {
        let _ = write!(page, "\n## {title}\n");
        let cases = cases(folder);
        for rule in rules {
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
                None => {
                    let _ = writeln!(page, "\nTests: `{tests}`.");
                }
            }
        }
    }
    page
}

/// Rule to the cases that break it, the ones that were written for it first.
fn cases(folder: &str) -> BTreeMap<String, Vec<String>> {
    let mut cases: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut folders: Vec<_> = std::fs::read_dir(folder)
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
