//! The two documented ways to merge data, case by case.

use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::agent_api::{DataMerge, merge};
use agentwire::builder::Counter;
use agentwire::json::{Member, Value};

fn read(text: &str) -> Value {
    Value::parse(text, 64).unwrap()
}

/// Value, delta, by the builder's rule, by the message's rule.
const TABLE: &[(&str, &str, &str, &str)] = &[
    // New keys.
    (r#"{}"#, r#"{"a":1}"#, r#"{"a":1}"#, r#"{}"#),
    (r#"{"a":1}"#, r#"{"b":null}"#, r#"{"a":1,"b":null}"#, r#"{"a":1}"#),
    // Strings and lists.
    (r#"{"a":"x"}"#, r#"{"a":"y"}"#, r#"{"a":"xy"}"#, r#"{"a":"xy"}"#),
    (r#"{"a":""}"#, r#"{"a":""}"#, r#"{"a":""}"#, r#"{"a":""}"#),
    (r#"{"a":[1]}"#, r#"{"a":[2,[3]]}"#, r#"{"a":[1,2,[3]]}"#, r#"{"a":[1,2,[3]]}"#),
    (
        r#"{"a":[{"k":"v"}]}"#,
        r#"{"a":[{"k":"w"}]}"#,
        r#"{"a":[{"k":"v"},{"k":"w"}]}"#,
        r#"{"a":[{"k":"v"},{"k":"w"}]}"#,
    ),
    // Numbers.
    (r#"{"n":1}"#, r#"{"n":2}"#, r#"{"n":3}"#, r#"{"n":1}"#),
    (r#"{"n":1}"#, r#"{"n":2.5}"#, r#"{"n":3.5}"#, r#"{"n":1}"#),
    (r#"{"n":1.5}"#, r#"{"n":1.5}"#, r#"{"n":3.0}"#, r#"{"n":1.5}"#),
    (
        r#"{"n":9007199254740993}"#,
        r#"{"n":9007199254740993}"#,
        r#"{"n":18014398509481986}"#,
        r#"{"n":9007199254740993}"#,
    ),
    (
        r#"{"n":9223372036854775807}"#,
        r#"{"n":1}"#,
        r#"{"n":9223372036854775808}"#,
        r#"{"n":9223372036854775807}"#,
    ),
    (
        r#"{"n":-170141183460469231731687303715884105728}"#,
        r#"{"n":-1}"#,
        r#"{"n":-170141183460469231731687303715884105729}"#,
        r#"{"n":-170141183460469231731687303715884105728}"#,
    ),
    (
        r#"{"n":100000000000000000000000000000000000000000}"#,
        r#"{"n":-1}"#,
        r#"{"n":99999999999999999999999999999999999999999}"#,
        r#"{"n":100000000000000000000000000000000000000000}"#,
    ),
    (r#"{"n":5}"#, r#"{"n":-5}"#, r#"{"n":0}"#, r#"{"n":5}"#),
    // Objects.
    (
        r#"{"o":{"k":"v","n":1}}"#,
        r#"{"o":{"k":"w","n":1,"z":[]}}"#,
        r#"{"o":{"k":"vw","n":2,"z":[]}}"#,
        r#"{"o":{"k":"v","n":1}}"#,
    ),
    // Everything else is replaced, or unchanged.
    (r#"{"b":true}"#, r#"{"b":false}"#, r#"{"b":false}"#, r#"{"b":true}"#),
    (r#"{"b":true}"#, r#"{"b":1}"#, r#"{"b":1}"#, r#"{"b":true}"#),
    (r#"{"b":1}"#, r#"{"b":true}"#, r#"{"b":true}"#, r#"{"b":1}"#),
    (r#"{"a":"x"}"#, r#"{"a":null}"#, r#"{"a":null}"#, r#"{"a":"x"}"#),
    (r#"{"a":null}"#, r#"{"a":"x"}"#, r#"{"a":"x"}"#, r#"{"a":null}"#),
    (r#"{"a":"x"}"#, r#"{"a":5}"#, r#"{"a":5}"#, r#"{"a":"x"}"#),
    (r#"{"a":[1]}"#, r#"{"a":"s"}"#, r#"{"a":"s"}"#, r#"{"a":[1]}"#),
    (r#"{"a":{"k":1}}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#, r#"{"a":{"k":1}}"#),
    // Values that are not objects.
    (r#"null"#, r#"{"a":1}"#, r#"{"a":1}"#, r#"null"#),
    (r#"[1]"#, r#"{"a":1}"#, r#"{"a":1}"#, r#"[1]"#),
    (r#"{"a":1}"#, r#"null"#, r#"{"a":1}"#, r#"{"a":1}"#),
    (r#"{"a":1}"#, r#"[2]"#, r#"{"a":1}"#, r#"{"a":1}"#),
    (r#"{"a":1}"#, r#"{}"#, r#"{"a":1}"#, r#"{"a":1}"#),
];

#[test]
fn both_merge_rules_match_the_table() {
    for (value, delta, builder, message) in TABLE {
        for (rule, expected) in [(DataMerge::Builder, builder), (DataMerge::Message, message)] {
            let mut data = read(value);
            merge(&mut data, &read(delta), rule);
            assert_eq!(data.to_json(), *expected, "{value} + {delta}, {rule:?}");
        }
    }
}

#[test]
fn deltas_with_many_keys_are_merged_like_those_with_few() {
    // Seventeen keys are looked up in another way than sixteen.
    for keys in [15, 16, 17, 1000] {
        let object = |text: &str| {
            let members = (0..keys).map(|k| Member { key: format!("k{k}"), value: text.into() });
            Value::Object(members.collect())
        };
        for rule in [DataMerge::Builder, DataMerge::Message] {
            let mut data = object("a");
            data.insert("own", true.into());
            let mut delta = object("b");
            delta.insert("new", true.into());
            merge(&mut data, &delta, rule);
            let mut expected = object("ab");
            expected.insert("own", true.into());
            if rule == DataMerge::Builder {
                expected.insert("new", true.into());
            }
            assert_eq!(data, expected, "{keys} {rule:?}");
        }
    }
}

#[test]
fn malformed_numbers_are_replaced_instead_of_added() {
    for odd in ["", "+", "abc", "1x", "--1", "01", "0x1", "٣"] {
        for (a, b) in [(odd, "1"), ("1", odd), (odd, odd)] {
            let number = |digits: &str| Value::from([("n", Value::Number(digits.into()))]);
            let mut data = number(a);
            merge(&mut data, &number(b), DataMerge::Builder);
            assert_eq!(data, number(b), "{a} + {b}");
        }
    }
}

#[test]
fn the_completed_content_contains_the_value_and_all_deltas() {
    let response = ResponseBuilder::new(BuilderOptions::new(Counter::default(), || 0));
    drop([response.created(), response.in_progress()]);
    let message = response.create_message_builder("assistant", "message").unwrap();
    drop(message.in_progress());
    for (value, delta, merged, _) in TABLE {
        let (value, delta) = (read(value), read(delta));
        let objects = [&value, &delta].iter().all(|v| matches!(v, Value::Object(_)));
        if !objects {
            continue;
        }
        let content = message.create_content_builder("data").unwrap();
        drop(content.set_data(value).unwrap());
        let sent = content.add_data_delta(delta.clone()).unwrap();
        assert!(sent.json().ends_with(&format!(r#""data":{}}}"#, delta.to_json())), "{sent}");
        let done = content.complete().unwrap();
        assert!(done.json().ends_with(&format!(r#""data":{merged}}}"#)), "{done}");
    }
}

#[test]
fn a_hundred_thousand_deltas_take_linear_time() {
    let response = ResponseBuilder::new(BuilderOptions::new(Counter::default(), || 0));
    drop([response.created(), response.in_progress()]);
    let message = response.create_message_builder("assistant", "function_call").unwrap();
    drop(message.in_progress());
    let text = message.create_content_builder("text").unwrap();
    let data = message.create_content_builder("data").unwrap();
    let piece = Value::from([("arguments", "0123456789".into()), ("n", 1.into())]);
    for _ in 0..100_000 {
        drop(text.add_text_delta("0123456789").unwrap());
        drop(data.add_data_delta(piece.clone()).unwrap());
    }
    assert!(text.complete().unwrap().json().len() > 1_000_000);
    assert!(data.complete().unwrap().json().contains(r#""n":100000"#));
}
