//! Requests, parsed and written.

use agentwire::interactions::request::{CreateInteraction, Input};

#[test]
fn a_request_round_trips() {
    for json in [
        r#"{"model":"m","input":"hi","stream":true}"#,
        r#"{"model":"m","input":{"type":"text","text":"hi"}}"#,
        r#"{"agent":"deep-research-preview-04-2026","input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]},{"type":"thought","signature":"c2ln","summary":[]},{"type":"function_call","id":"a","name":"f","arguments":{}},{"type":"function_result","call_id":"a","result":"21"}],"system_instruction":"be brief","tools":[{"type":"google_search"}],"generation_config":{"thinking_level":"low"},"response_format":[{"type":"text"}],"previous_interaction_id":"v1_a","continuation_token":"t","store":false,"stream":true,"background":true,"labels":{"a":"b"}}"#,
    ] {
        assert_eq!(CreateInteraction::parse(json).expect(json).to_json(), json);
    }
    let asked = CreateInteraction::parse(r#"{"model":"m","input":"hi"}"#).expect("a request");
    assert_eq!(asked.input, Some(Input::Text("hi".into())));
    assert!(CreateInteraction::parse(r#"{"model":"m","input":7}"#).is_err());
    assert!(CreateInteraction::parse(r#"{"model":"m","generation_config":"x"}"#).is_err());
}
