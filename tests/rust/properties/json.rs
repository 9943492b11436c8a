//! The JSON reader against the reference one.

use agentwire::json::{Value, add, close, partial};
use proptest::prelude::*;

fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value as J;
    let leaf = prop_oneof![
        Just(J::Null),
        any::<bool>().prop_map(J::from),
        any::<i64>().prop_map(J::from),
        any::<u64>().prop_map(J::from),
        (-1e9..1e9f64).prop_map(J::from),
        ".*".prop_map(J::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(J::from),
            proptest::collection::btree_map(".{0,6}", inner, 0..6)
                .prop_map(|map| J::Object(map.into_iter().collect())),
        ]
    })
}

/// Texts that resemble JSON and have an error somewhere, as those that models write.
fn broken() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => proptest::sample::select(&["{", "}", "[", "]", "\"", "\"", "\"k\":", ":", ",", "1", "-2.5e3", "true", "null", " "][..]).prop_map(str::to_owned),
        4 => "[a-z 你😀]{0,3}",
        4 => proptest::sample::select(&["\\", "\\n", "\\\"", "\\d", "\\'", "\\U", "\\u", "\\u12", "\\u12G4", "\\u0041", "\\ud83d", "\\ude00", "\\udc00", "\n", "\u{1}", "\u{7f}", "\u{2028}"][..]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Returns whether a value equals or extends the previous one; where keys may be repeated, the
/// value of a key may have been replaced.
fn extends(before: &Value, now: &Value, repeats: bool) -> bool {
    match (before, now) {
        (Value::String(before), Value::String(now)) => now.starts_with(before.as_str()),
        (Value::Array(before), Value::Array(now)) => {
            let same = |(before, now): (&Value, &Value)| extends(before, now, repeats);
            before.len() <= now.len() && before.iter().zip(now).all(same)
        }
        (Value::Object(members), now @ Value::Object(_)) => members.iter().all(|member| {
            now.get(&member.key).is_some_and(|now| repeats || extends(&member.value, now, repeats))
        }),
        _ => before == now,
    }
}

/// Returns the value in the type of the reference library, for comparison.
fn reference(value: &Value) -> serde_json::Value {
    serde_json::to_value(value).expect("a value")
}

proptest! {
    #[test]
    fn reads_the_output_of_serde_json(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.expect("text");
        let read = Value::parse(&text, 128).expect("valid JSON");
        prop_assert_eq!(reference(&read), value.clone());
        prop_assert_eq!(Value::parse(&read.to_json(), 128).expect("our own JSON"), read);
        prop_assert!(partial(&text, 128).complete);
    }

    #[test]
    fn accepts_the_same_texts_as_serde_json(text in r#"[\[\]{}",:\\ \-+.eE0-9a-ftrulsn\u{1}\u{e9}]{0,24}"#) {
        let ours = Value::parse(&text, 128).is_ok();
        // The reference refuses lone surrogates and numbers beyond 64-bit floats; both are JSON.
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(_) => prop_assert!(ours, "refused: {text}"),
            Err(e) if e.to_string().contains("surrogate") || e.to_string().contains("out of range") => {}
            Err(e) if e.to_string().contains("unexpected end of hex escape") => {}
            Err(e) => prop_assert!(!ours, "accepted: {text} ({e})"),
        }
    }

    #[test]
    fn a_closed_prefix_is_valid_json_and_a_prefix_of_the_text(value in json(), cut in 0.0..1.0f64) {
        let text = serde_json::to_string(&value).expect("text");
        let end = (text.len() as f64 * cut) as usize;
        let end = (0..=end).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        let (closed, complete) = close(&text[..end], 128);
        prop_assert_eq!(complete, end == text.len() || (closed == text[..end] && !closed.is_empty()));
        prop_assert!(closed.is_empty() || serde_json::from_str::<serde_json::Value>(&closed).is_ok(), "{closed}");
        let opened = closed.trim_end_matches(['"', '}', ']']);
        prop_assert!(text.starts_with(opened), "{closed}");
    }

    #[test]
    fn a_closed_text_is_valid_json_or_empty(text in broken(), depth in 0u32..4) {
        for depth in [depth, 128] {
            let (closed, complete) = close(&text, depth);
            let read = Value::parse(&closed, depth);
            prop_assert_eq!(closed.is_empty(), read.is_err(), "{} of {}", closed, text);
            prop_assert_eq!(partial(&text, depth).value, read.ok());
            prop_assert!(!complete || Value::parse(&text, depth).is_ok(), "{}", text);
        }
    }

    #[test]
    fn later_prefixes_extend_earlier_values(text in broken(), whole in json()) {
        for (text, repeats) in [(text, true), (serde_json::to_string(&whole).expect("text"), false)] {
            let mut before = None;
            for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
                let now = partial(&text[..end], 128).value;
                // A number that is the whole text may become another one.
                let stays = match (&before, &now) {
                    (None | Some(Value::Number(_)), _) => true,
                    (Some(_), None) => false,
                    (Some(before), Some(now)) => extends(before, now, repeats),
                };
                prop_assert!(stays, "{:?} became {:?} at {} of {}", before, now, end, text);
                before = now;
            }
        }
    }

    #[test]
    fn sums_of_integers_are_exact(a in any::<i64>(), b in any::<i64>(), zeros in 0usize..30) {
        prop_assert_eq!(add(&a.to_string(), &b.to_string()), (i128::from(a) + i128::from(b)).to_string());
        let zeros = "0".repeat(zeros);
        let big = |n: i64| if n == 0 { "0".to_owned() } else { format!("{n}{zeros}") };
        let sum = i128::from(a) + i128::from(b);
        let expected = if sum == 0 { "0".to_owned() } else { format!("{sum}{zeros}") };
        prop_assert_eq!(add(&big(a), &big(b)), expected);
    }
}
