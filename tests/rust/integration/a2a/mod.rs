//! A2A.

mod official;
mod request;
mod tasks;
mod writing;

/// The client of 1.0 throws an error for these events.
#[test]
fn raw_content_that_is_not_a_string_is_reported_and_dropped() {
    for raw in ["5", "true", "{}", "[1]"] {
        let event = format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"message":{{"messageId":"m","role":"ROLE_AGENT","parts":[{{"raw":{raw}}}]}}}}}}"#
        );
        let mut reader = agentwire::Reader::new(agentwire::a2a::A2a::default());
        reader.push(format!("data: {event}\n\n").as_bytes());
        let outcome = reader.finish();
        assert_eq!(outcome.report.count("part-content"), 1, "{raw}");
        assert!(
            !outcome.snapshot.to_json().contains("\"raw\""),
            "{raw}: {}",
            outcome.snapshot.to_json()
        );
    }
}
