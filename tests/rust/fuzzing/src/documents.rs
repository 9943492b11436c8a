//! JSON: the crate's own reader against serde_json.

use agentwire::json::{Document, Element, Value, add};

use crate::corpus::Corpus;

/// The maximum depth, which is below the reference's own limit.
const DEEPEST: u32 = 100;

/// - The value is that of the reference, and the reader refuses the texts that the reference
///   refuses, except for texts
///   that the reference does not support: halves of characters, and numbers beyond its own (a byte that is skipped, an
///   escape that is mistaken for another one).
/// - Numbers and the order of keys are kept in their original form; written values read as the
///   same again.
/// - A reading that may nest one level less refuses, and one that may nest more does not (a bound
///   that is off by one).
/// - Sums of integers are those of 128-bit arithmetic.
pub fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let reference = serde_json::from_str::<serde_json::Value>(&text);
    let read = Value::parse(&text, DEEPEST);
    match (&reference, &read) {
        (Ok(expected), Ok(value)) => {
            assert!(same(value, expected), "read {} for {expected}", value.to_json());
        }
        (Ok(_), Err(error)) => {
            // The reference lets 127 levels pass.
            assert!(
                matches!(error.kind, agentwire::json::JsonErrorKind::TooDeep),
                "refused: {error}"
            );
        }
        (Err(_), Err(error)) => assert!(error.at <= text.len(), "{error}"),
        (Err(error), Ok(_)) => {
            let said = error.to_string();
            let known =
                ["surrogate", "unexpected end of hex escape", "out of range", "recursion limit"];
            assert!(known.iter().any(|known| said.contains(known)), "accepted: {said}");
        }
    }
    if let Ok(value) = &read {
        let written = value.to_json();
        assert_eq!(Value::parse(&written, DEEPEST).as_ref(), Ok(value), "{written}");
        if text.is_ascii() && !text.contains('\\') && !has_repeated_keys(&text) {
            assert_eq!(written, without_space(&text));
        }
        // Only the last value of a repeated key is stored, and the others may be nested deeper.
        if !has_repeated_keys(&text) {
            let depth = depth(value);
            assert!(Value::parse(&text, depth).is_ok(), "nested {depth} deep");
            assert!(depth == 0 || Value::parse(&text, depth - 1).is_err(), "nested {depth} deep");
        }
    }
    sums(&text);
}

/// The JSON of the corpus and of the data of its events.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    let events = corpus.streams().flat_map(|stream| {
        let lines = stream.split(|byte| matches!(byte, b'\n' | b'\r'));
        lines.filter_map(|line| line.strip_prefix(b"data: ")).map(<[u8]>::to_vec).take(8)
    });
    let texts =
        corpus.json.iter().filter(|text| text.len() < 4096).map(|text| text.clone().into_bytes());
    let mut seeds: Vec<Vec<u8>> = texts.chain(events).collect();
    seeds.sort();
    seeds.dedup();
    seeds
}

/// Returns whether two readings agree. Numbers that are not integers are compared as floats, as the
/// reference has them.
fn same(value: &Value, expected: &serde_json::Value) -> bool {
    use serde_json::Value as J;
    match (value, expected) {
        (Value::Null, J::Null) => true,
        (Value::Bool(value), J::Bool(expected)) => value == expected,
        (Value::String(value), J::String(expected)) => value == expected,
        (Value::Array(items), J::Array(expected)) => {
            items.len() == expected.len()
                && items.iter().zip(expected).all(|(item, expected)| same(item, expected))
        }
        (Value::Object(members), J::Object(expected)) => {
            let agrees =
                |key: &str, value| expected.get(key).is_some_and(|expected| same(value, expected));
            members.len() == expected.len()
                && members.iter().all(|member| agrees(&member.key, &member.value))
        }
        (Value::Number(digits), J::Number(expected)) => {
            **digits == *expected.to_string()
                || expected.as_f64().is_some_and(|expected| is_close(digits, expected))
        }
        _ => false,
    }
}

/// The reference rounds the last digits of long numbers in its own way.
fn is_close(digits: &str, expected: f64) -> bool {
    let value: f64 = digits.parse().unwrap_or(f64::NAN);
    (value - expected).abs() <= expected.abs() * 1e-14
}

pub(crate) fn has_repeated_keys(text: &str) -> bool {
    fn visit(element: Element<'_, '_>) -> bool {
        if let Ok(members) = element.object() {
            let mut keys = Vec::new();
            for (key, value) in members {
                keys.push(key.to_str().into_owned());
                if visit(value) {
                    return true;
                }
            }
            let count = keys.len();
            keys.sort_unstable();
            keys.dedup();
            keys.len() < count
        } else {
            element.array().is_ok_and(|mut items| items.any(visit))
        }
    }
    Document::read(text, DEEPEST).is_ok_and(|document| visit(document.root()))
}

fn without_space(text: &str) -> String {
    let mut inside = false;
    let mut kept = |letter: &char| {
        inside ^= *letter == '"';
        inside || !matches!(letter, ' ' | '\n' | '\r' | '\t')
    };
    text.chars().filter(|letter| kept(letter)).collect()
}

pub(crate) fn depth(value: &Value) -> u32 {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => {
            1 + members.iter().map(|member| depth(&member.value)).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Adds every two neighbours among the integers of a text.
fn sums(text: &str) {
    let is_number = |text: &&str| matches!(Value::parse(text, 0), Ok(Value::Number(_)));
    let words = text.split(|letter: char| !letter.is_ascii_digit() && letter != '-');
    let numbers: Vec<&str> = words.filter(is_number).collect();
    for pair in numbers.windows(2) {
        if let (Ok(one), Ok(other)) = (pair[0].parse::<i128>(), pair[1].parse::<i128>())
            && let Some(sum) = one.checked_add(other)
        {
            assert_eq!(add(pair[0], pair[1]), sum.to_string(), "{pair:?}");
        }
    }
}
