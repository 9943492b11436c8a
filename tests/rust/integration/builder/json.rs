//! Free JSON of callers: whether it can be written, and read again.

use super::{member_of, open, refused, started};
use agentwire::Limits;
use agentwire::agent_api::Payload;
use agentwire::json::Value;

/// An object that nests so deep.
pub fn nested(depth: u32) -> Value {
    (1..depth).fold(Value::Object(vec![]), |inner, _| Value::from([("k", inner)]))
}

#[test]
fn free_json_beyond_the_limits_of_readers_is_rejected() {
    let response = started();
    let message = open(&response);
    let content = message.create_content_builder("data").unwrap();
    let most = Limits::default().json_depth - 5;
    for (depth, fits) in [(1, true), (most, true), (most + 1, false), (5000, false)] {
        let results = [
            content.set_data(nested(depth)).map(drop),
            content.update_data("k", nested(depth - 1)).map(drop),
            message.set_metadata(nested(depth)),
            message.set_usage(nested(depth)),
            response.set_usage(nested(depth)),
        ];
        for result in results {
            match result {
                Ok(()) => assert!(fits, "{depth}"),
                Err(misuse) => assert!(!fits && misuse.code == "too-deep", "{depth}: {misuse}"),
            }
        }
    }
    drop(content.set_data(nested(most)).unwrap());
    drop([content.complete().unwrap(), message.complete().unwrap()]);
    let last = response.completed().unwrap();
    assert!(Value::parse(last.json(), Limits::default().json_depth).is_ok());
    assert!(Value::parse(last.json(), Limits::default().json_depth - 1).is_err());

    let response = started();
    let message = open(&response);
    let content = message.create_content_builder("data").unwrap();
    let twice = || Value::Object(vec![member_of("k", 1.into()), member_of("k", 2.into())]);
    let odd = |digits: &str| Value::from([("k", Value::Number(digits.into()))]);
    let table = [
        (Value::Null, "not-an-object"),
        (Value::Array(vec![]), "not-an-object"),
        ("text".into(), "not-an-object"),
        (twice(), "duplicate-key"),
        (Value::from([("deep", Value::Array(vec![twice()]))]), "duplicate-key"),
        (odd("1.0e5"), ""),
        (odd("123456789012345678901234567890"), ""),
        (odd("01"), "not-a-number"),
        (odd("1 "), "not-a-number"),
        (odd("NaN"), "not-a-number"),
        (odd(""), "not-a-number"),
        (odd("\"x\""), "not-a-number"),
    ];
    for (value, code) in table {
        let codes = [
            content.set_data(value.clone()).map(drop),
            message.set_metadata(value.clone()),
            message.set_usage(value.clone()),
            response.set_usage(value.clone()),
            message.add_content(Payload::Data { data: Some(value.clone()) }).map(drop),
        ]
        .map(|result| result.map_or_else(|misuse| misuse.code, |()| ""));
        assert_eq!(codes, [code; 5], "{value:?}");
    }
    let misuse = refused(content.update_data("k", Value::Number("x".into())));
    assert_eq!(misuse.code, "not-a-number");
    let misuse = refused(content.add_data_delta(Value::Null));
    assert_eq!(misuse.code, "not-an-object");
}
