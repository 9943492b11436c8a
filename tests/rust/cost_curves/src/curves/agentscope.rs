//! AgentScope.

use crate::curves::Curve;

const START: &str = r#"{"type":"REPLY_START","session_id":"s","reply_id":"r","name":"n"}"#;
const CALL: &str =
    r#"{"type":"TOOL_CALL_START","reply_id":"r","tool_call_id":"c$i","tool_call_name":"f"}"#;
const RESULT: &str =
    r#"{"type":"TOOL_RESULT_START","reply_id":"r","tool_call_id":"c$i","tool_call_name":"f"}"#;

pub const CURVES: &[Curve] = &[
    ("texts that overlap", |s, n| {
        s.each(1, [START]);
        s.each(n, [r#"{"type":"TEXT_BLOCK_START","reply_id":"r","block_id":"b$i"}"#]);
        let delta =
            r#"{"type":"TEXT_BLOCK_DELTA","reply_id":"r","block_id":"b$mixed","delta":"a"}"#;
        s.each(n, [delta]);
        s.each(n, [r#"{"type":"TEXT_BLOCK_END","reply_id":"r","block_id":"b$other","text":"b"}"#]);
    }),
    ("deltas with ids and times of their own", |s, n| {
        s.each(1, [START, r#"{"type":"TEXT_BLOCK_START","reply_id":"r","block_id":"b"}"#]);
        let delta = r#"{"id":"e$i","created_at":"2026-01-01T00:00:00.$i","metadata":{},"type":"TEXT_BLOCK_DELTA","reply_id":"r","block_id":"b","delta":"a"}"#;
        s.each(n, [delta]);
    }),
    ("calls, inputs and results in turn", |s, n| {
        s.each(1, [START]).each(n, [CALL]);
        s.each(
            n,
            [r#"{"type":"TOOL_CALL_DELTA","reply_id":"r","tool_call_id":"c$mixed","delta":"1"}"#],
        );
        s.each(n, [r#"{"type":"TOOL_CALL_END","reply_id":"r","tool_call_id":"c$mixed"}"#]);
        s.each(n, [RESULT]);
        s.each(n, [
            r#"{"type":"TOOL_RESULT_TEXT_DELTA","reply_id":"r","tool_call_id":"c$other","delta":"x"}"#,
            r#"{"type":"TOOL_RESULT_END","reply_id":"r","tool_call_id":"c$other","state":"success"}"#,
        ]);
    }),
    ("media in pieces that do not fill groups", |s, n| {
        s.each(1, [
            START,
            r#"{"type":"DATA_BLOCK_START","reply_id":"r","block_id":"d","media_type":"image/png"}"#,
        ]);
        s.each(n, [r#"{"type":"DATA_BLOCK_DELTA","reply_id":"r","block_id":"d","media_type":"image/png","data":"aA=="}"#]);
    }),
    ("media in a result", |s, n| {
        s.each(1, [START, &CALL.replace("$i", ""), &RESULT.replace("$i", "")]);
        s.each(n, [
            r#"{"type":"TOOL_RESULT_DATA_DELTA","reply_id":"r","tool_call_id":"c","block_id":"d$i","media_type":"image/png","data":"aA=="}"#,
            r#"{"type":"TOOL_RESULT_TEXT_DELTA","reply_id":"r","tool_call_id":"c","delta":"x"}"#,
        ]);
    }),
    ("questions, all listed again with each answer", |s, n| {
        s.each(1, [START]).each(n, [
            r#"{"type":"REQUIRE_USER_CONFIRM","reply_id":"r","tool_calls":[{"id":"c$i","name":"f","input":"{}"}]}"#,
            r#"{"type":"USER_CONFIRM_RESULT","reply_id":"r","confirm_results":[{"confirmed":true,"tool_call":{"id":"c$other","name":"f"}}]}"#,
        ]);
    }),
    ("results of a client that the agent repeats", |s, n| {
        s.each(1, [START]).each(n, [
            r#"{"type":"EXTERNAL_EXECUTION_RESULT","reply_id":"r","execution_results":[{"id":"c$i","name":"f","output":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}"#,
            r#"{"type":"TOOL_RESULT_TEXT_DELTA","reply_id":"r","tool_call_id":"c$i","delta":"x"}"#,
        ]);
    }),
    ("hints and events of the service", |s, n| {
        s.each(1, [START]).each(n, [
            r#"{"type":"HINT_BLOCK","reply_id":"r","block_id":"h$i","hint":[{"type":"text","text":"a"}]}"#,
            r#"{"type":"CUSTOM","name":"x$i","value":{"a":[1]}}"#,
            r#"{"type":"MODEL_CALL_END","reply_id":"r","input_tokens":1,"output_tokens":1}"#,
        ]);
    }),
    ("events of other replies", |s, n| {
        s.each(1, [START]);
        s.each(n, [r#"{"type":"TEXT_BLOCK_START","reply_id":"q$i","block_id":"b"}"#]);
    }),
];
