//! Rules and the cases that break them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use agentwire::Rule;
use agentwire::json::Value;

/// Every rule of a protocol has a case that breaks it, and no case names a rule that there is not.
pub fn of(rules: &[&Rule], cases: &[PathBuf]) {
    let mut broken = BTreeSet::new();
    for case in cases {
        let text = std::fs::read_to_string(case.join("violations.json")).expect("the violations");
        let Ok(Value::Array(list)) = Value::parse(&text, 128) else { panic!("{}: a list", case.display()) };
        broken.extend(list.iter().filter_map(|v| Some(v.get("rule")?.as_str()?.to_owned())));
    }
    for rule in rules {
        // Limits are far above any stream one would keep in a repository; `limits.rs` has a test for each.
        assert!(rule.id == "limit-exceeded" || broken.contains(rule.id), "no case breaks {}", rule.id);
    }
    for rule in &broken {
        assert!(rules.iter().any(|known| known.id == rule), "no such rule: {rule}");
    }
}
