//! The names of models: who makes them, of which family they are, and of which version.

/// The name of a model: `claude-opus-4-6`, `anthropic/claude-opus-4.6`,
/// `us.anthropic.claude-opus-4-6-v1:0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ModelName<'a> {
    /// The part before the last slash: routers have the vendor there.
    pub vendor: Option<&'a str>,
    /// The name without it.
    pub name: &'a str,
}

impl<'a> ModelName<'a> {
    /// Splits a name.
    pub(crate) fn new(model: &'a str) -> Self {
        let model = model.strip_prefix("models/").unwrap_or(model);
        match model.rsplit_once('/') {
            Some((vendor, name)) => ModelName { vendor: Some(vendor), name },
            None => ModelName { vendor: None, name: model },
        }
    }

    /// Whether the name starts with one of these, in any case.
    pub(crate) fn starts_with(self, starts: &[&str]) -> bool {
        let is = |start: &&str| {
            self.name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
        };
        starts.iter().any(is)
    }

    /// Whether the name contains a word, in any case.
    pub(crate) fn contains(self, word: &str) -> bool {
        let mut windows = self.name.as_bytes().windows(word.len().max(1));
        !word.is_empty() && windows.any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Returns the version after a part of the name: (4, 6) for `4-6-20260205` and `4.6`, (4, 0)
    /// for `4-20250514` and `4o`.
    pub(crate) fn version_after(self, start: &str) -> Option<(u32, u32)> {
        let at = self.name.find(start)? + start.len();
        let mut numbers = self.name.get(at..)?.splitn(3, ['.', '-', '@', ':', '_']);
        let major = leading_number(numbers.next()?)?;
        let minor = numbers.next().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        // Longer numbers are dates.
        let minor = minor.filter(|text| text.len() <= 2).and_then(leading_number);
        Some((major, minor.unwrap_or(0)))
    }
}

/// Returns the number that a text starts with, of at most two digits.
fn leading_number(text: &str) -> Option<u32> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..length).filter(|digits| digits.len() <= 2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_without_dates() {
        for (model, start, expected) in [
            ("claude-opus-4-6", "opus-", Some((4, 6))),
            ("claude-opus-4-20250514", "opus-", Some((4, 0))),
            ("anthropic/claude-opus-4.6", "opus-", Some((4, 6))),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "sonnet-", Some((4, 5))),
            ("claude-sonnet-4@20250514", "sonnet-", Some((4, 0))),
            ("claude-3-7-sonnet-20250219", "claude-", Some((3, 7))),
            ("claude-opus-5", "opus-", Some((5, 0))),
            ("gpt-5.4-mini-2026-03-17", "gpt-", Some((5, 4))),
            ("gpt-5-2025-08-07", "gpt-", Some((5, 0))),
            ("gpt-4o", "gpt-", Some((4, 0))),
            ("models/gemini-2.5-flash", "gemini-", Some((2, 5))),
            ("gemini-flash-latest", "gemini-", None),
            ("o3-mini", "gpt-", None),
            ("claude-opus-", "opus-", None),
            ("gpt-20250101", "gpt-", None),
        ] {
            assert_eq!(ModelName::new(model).version_after(start), expected, "{model}");
        }
    }

    #[test]
    fn names_have_a_vendor_and_any_case() {
        let name = ModelName::new("deepseek-ai/DeepSeek-V3.1");
        assert_eq!(name, ModelName { vendor: Some("deepseek-ai"), name: "DeepSeek-V3.1" });
        assert!(
            name.starts_with(&["deepseek"]) && name.contains("seek-v3") && !name.contains("kimi")
        );
        assert!(!ModelName::new("").contains(""));
        assert!(!ModelName::new("ü").starts_with(&["x"]));
    }
}
