//! Names and ids as a target accepts them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};

use crate::hub::conversation::envelope::{hex, text_hash};
use crate::hub::conversation::requirements::{Letters, NameRule};

/// Returns a name with the letters and the length that a target accepts. A name that is too long
/// ends with a hash of it, so that the same name is always shortened to the same one.
pub(super) fn legal(name: &str, rule: NameRule) -> String {
    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let mut out: String = match rule.letters {
        Letters::Exact => {
            let is_exact =
                name.len() == rule.max && name.bytes().all(|letter| letter.is_ascii_alphanumeric());
            return if is_exact {
                name.into()
            } else {
                hex(text_hash(name)).chars().take(rule.max).collect()
            };
        }
        Letters::Any => name.into(),
        Letters::Plain | Letters::Word => {
            name.chars().map(|letter| if is_legal(letter) { letter } else { '_' }).collect()
        }
    };
    if rule.letters == Letters::Word
        && !out.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    {
        out.insert(0, '_');
    }
    if out.len() > rule.max {
        let hash = hex(text_hash(name));
        let tail = hash.get(8..).unwrap_or_default();
        while out.len() + 1 + tail.len() > rule.max && out.pop().is_some() {}
        out.push('_');
        out.push_str(tail);
    }
    out
}

/// The ids of calls, or the names of tools, in one request, each once.
#[derive(Debug, Default)]
pub(super) struct Unique {
    used: BTreeSet<String>,
    /// The number of the last copy of a name, so that many copies of one are found in time.
    copies: BTreeMap<String, u32>,
}

impl Unique {
    /// Returns the name that a target accepts, which no other one has.
    pub fn legal(&mut self, name: &str, rule: NameRule) -> String {
        let base = legal(name, rule);
        let mut out = base.clone();
        while !self.used.insert(out.clone()) {
            let number = self.copies.entry(base.clone()).or_insert(1);
            *number += 1;
            out = legal(&[name, "_", &number.to_string()].concat(), rule);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: NameRule = NameRule { max: 12, letters: Letters::Plain };

    #[test]
    fn a_name_is_shortened_between_characters_and_always_to_the_same_name() {
        let long = "ümlaut ümlaut ümlaut";
        assert_eq!(legal(long, RULE), legal(long, RULE));
        assert!(legal(long, RULE).len() <= 12);
        assert_ne!(legal(long, RULE), legal("ümlaut ümlaut ümlaux", RULE));
        let any = NameRule { max: 12, letters: Letters::Any };
        assert!(legal("üüüüüüüüüüüü", any).len() <= 12);
        assert_eq!(legal("a.b", RULE), "a_b");
        let word = NameRule { max: 12, letters: Letters::Word };
        assert_eq!(
            ["1a", "-a", "a1", "_a", "ü"].map(|name| legal(name, word)),
            ["_1a", "_-a", "a1", "_a", "_"]
        );
    }

    #[test]
    fn a_name_of_an_exact_length_is_kept_or_replaced_by_its_hash() {
        let exact = NameRule { max: 9, letters: Letters::Exact };
        assert_eq!(legal("abcDEF123", exact), "abcDEF123");
        for name in ["", "call_1", "abcDEF1234", "abc-EF123"] {
            assert_eq!(legal(name, exact).len(), 9, "{name}");
        }
        assert_ne!(legal("call_1", exact), legal("call_2", exact));
        let mut ids = Unique::default();
        let all: BTreeSet<String> = (0..100).map(|_| ids.legal("call", exact)).collect();
        assert_eq!(all.len(), 100);
    }

    #[test]
    fn each_call_has_its_own_id() {
        let mut ids = Unique::default();
        let all: BTreeSet<String> = (0..1_000).map(|_| ids.legal("call", RULE)).collect();
        assert_eq!(all.len(), 1_000);
        assert_eq!(ids.legal("c", RULE), "c");
        assert_eq!(ids.legal("c", RULE), "c_2");
    }
}
