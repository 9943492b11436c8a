//! Names of models with `*` for any text.

/// A name, or a pattern of names.
#[derive(Clone, Debug)]
pub struct Pattern(String);

impl Pattern {
    pub fn new(text: &str) -> Self {
        Pattern(text.into())
    }

    /// Returns the name or the pattern.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether every name that the other one matches is matched by this one.
    pub fn covers(&self, other: &Pattern) -> bool {
        // A `*` of the other one stands for a character that no name has.
        self.matches(&other.0.replace('*', "\0")).is_some()
    }

    /// Returns the name, if it is not a pattern.
    pub fn exact(&self) -> Option<&str> {
        (!self.0.contains('*')).then_some(&*self.0)
    }

    /// Returns what the first `*` stands for in a name that matches; the whole name without a `*`.
    pub fn matches<'n>(&self, name: &'n str) -> Option<&'n str> {
        let Some((start, rest)) = self.0.split_once('*') else {
            return (self.0 == name).then_some(name);
        };
        let after = name.strip_prefix(start)?;
        let mut pieces: Vec<&str> = rest.split('*').collect();
        let last = pieces.pop().unwrap_or_default();
        // Each piece is taken where it is first found, so that the cost is linear in each.
        let (mut at, mut first) = (0, None);
        for piece in pieces {
            let found = at + after.get(at..)?.find(piece)?;
            first.get_or_insert(found);
            at = found + piece.len();
        }
        let end = after.len().checked_sub(last.len()).filter(|end| *end >= at)?;
        after.ends_with(last).then(|| &after[..first.unwrap_or(end)])
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, matched) in [
            ("gpt-5", "gpt-5", Some("gpt-5")),
            ("gpt-5", "gpt-5-mini", None),
            ("gpt-*", "gpt-5-mini", Some("5-mini")),
            ("gpt-*", "gpt-", Some("")),
            ("gpt-*", "my-gpt-5", None),
            ("*", "", Some("")),
            ("*", "a/b", Some("a/b")),
            ("*-mini", "gpt-5-mini", Some("gpt-5")),
            ("*-mini", "mini", None),
            ("a*b*c", "a1b2b3c", Some("1")),
            ("a*b*c", "abc", Some("")),
            ("a*b*c", "ac", None),
            ("a*a", "a", None),
            ("**", "é", Some("")),
            ("é*é", "éñé", Some("ñ")),
        ] {
            assert_eq!(Pattern::new(pattern).matches(name), matched, "{pattern} {name}");
        }
        let hostile = Pattern::new(&"*a".repeat(1000));
        assert!(hostile.matches(&"a".repeat(100_000)).is_some());
        assert_eq!(hostile.matches(&"b".repeat(100_000)), None);
    }
}
