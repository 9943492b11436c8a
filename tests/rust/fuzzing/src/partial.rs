//! JSON that is still being streamed: its value so far.

use agentwire::json::{Value, close, partial};

use crate::corpus::Corpus;
use crate::documents;

/// A depth that is enough for everything that the reference reads.
const DEEPEST: u32 = 128;

/// The maximum number of prefixes of a text that are checked.
const PREFIXES: usize = 32;

/// - A closed text is JSON for the reference, or empty, and has the shown value (a brace too
///   many, half an escape).
/// - More text extends the value: the text has every value that a prefix has, with any text after
///   it (a
///   fault that hides the values before it, a number that is shown before it is complete).
/// - A text is complete exactly when it is JSON, and is then shown as its value.
/// - A text that nests too deep shows the values around the nested one.
pub fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let shown = shown(&text, DEEPEST);
    let whole = Value::parse(&text, DEEPEST).ok();
    assert_eq!(partial(&text, DEEPEST).complete, whole.is_some(), "complete");
    if let Some(whole) = &whole {
        assert_eq!(shown.as_ref(), Some(whole), "the whole");
    }
    let repeats = close(&text, DEEPEST).0;
    if !documents::has_repeated_keys(&repeats) {
        let ends: Vec<usize> = (0..text.len()).filter(|&end| text.is_char_boundary(end)).collect();
        for &end in ends.iter().step_by(ends.len().div_ceil(PREFIXES).max(1)) {
            // A number that is the whole text is shown, although it may continue.
            let before = self::shown(&text[..end], DEEPEST)
                .filter(|value| !matches!(value, Value::Number(_)));
            if let Some(before) = before {
                let grown = shown.as_ref().is_some_and(|shown| begins(&before, shown));
                assert!(grown, "{} and then {shown:?}", before.to_json());
            }
        }
    }
    for depth in [0, 1, 2] {
        if let Some(value) = self::shown(&text, depth) {
            assert!(documents::depth(&value) <= depth, "{}", value.to_json());
        }
    }
}

/// JSON from the corpus, whole and truncated.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    let mut seeds = documents::seeds(corpus);
    for at in 0..seeds.len() {
        let length = seeds[at].len();
        if at % 2 == 0 {
            let cut = seeds[at][..length * (1 + at % 7) / 8].to_vec();
            seeds.push(cut);
        }
    }
    seeds
}

fn shown(text: &str, depth: u32) -> Option<Value> {
    let (closed, _) = close(text, depth);
    let shown = partial(text, depth).value;
    if closed.is_empty() {
        assert_eq!(shown, None, "a value for an empty text");
        return None;
    }
    // The reference supports neither halves of characters nor numbers beyond its own.
    if let Err(error) = serde_json::from_str::<serde_json::Value>(&closed) {
        let said = error.to_string();
        let known =
            ["surrogate", "unexpected end of hex escape", "out of range", "recursion limit"];
        assert!(known.iter().any(|known| said.contains(known)), "{said}: {closed}");
    }
    assert_eq!(shown, Value::parse(&closed, depth).ok(), "{closed}");
    assert!(shown.is_some(), "{closed}");
    shown
}

/// Returns whether one value may have been shown before the other.
fn begins(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::String(before), Value::String(after)) => after.starts_with(before.as_str()),
        (Value::Array(before), Value::Array(after)) => {
            before.len() <= after.len()
                && before.iter().zip(after).all(|(before, after)| begins(before, after))
        }
        (Value::Object(before), Value::Object(after)) => {
            let same = |(before, after): (&agentwire::json::Member, &agentwire::json::Member)| {
                before.key == after.key && begins(&before.value, &after.value)
            };
            before.len() <= after.len() && before.iter().zip(after).all(same)
        }
        (before, after) => before == after,
    }
}
