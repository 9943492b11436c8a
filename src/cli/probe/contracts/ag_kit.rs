//! The contract of servers of AG-Kit.

use agentwire::ProtocolKind;
use agentwire::json::Value;

use super::{BEARER, as_it_is};
use crate::probe::check::{Check, Contract, ErrorForm, Level};
use crate::probe::evidence::text_at;
use crate::probe::scenario::{
    AFTER_CUT, BROKEN_JSON, CALL, CALL_RESULT, CUT, INVALID, NEXT_TURN, OTHER_METHOD, TEXT,
    UNKNOWN_MEMBER, WRONG_TYPE,
};
use crate::probe::shared::done;

pub static CONTRACT: Contract = Contract {
    protocol: ProtocolKind::AgKit,
    source: "https://docs.ag-kit.dev/openai-agent-sdk-ts/building-apps/http-api",
    path: &[],
    key: BEARER,
    headers: &[],
    question: r#"{"conversationId":"$id","messages":[{"role":"user","content":"$text"}]}"#,
    invalid: r#"{"conversationId":"$id","messages":42}"#,
    errors: ErrorForm::Detail,
    framed: as_it_is,
    streams: |_| Ok(()),
    reading: |body, options| {
        let tools = body.get("tools").into_iter().flat_map(|tools| match tools {
            Value::Array(tools) => &tools[..],
            _ => &[],
        });
        options.ag_kit.client_tools =
            Some(tools.map(|tool| text_at(tool, "name").into()).collect());
    },
    always: &[],
    scenarios: &[
        &TEXT,
        &NEXT_TURN,
        &CALL,
        &CALL_RESULT,
        &UNKNOWN_MEMBER,
        &INVALID,
        &BROKEN_JSON,
        &WRONG_TYPE,
        &OTHER_METHOD,
        &CUT,
        &AFTER_CUT,
    ],
    checks: &[Check {
        id: "text-done",
        level: Level::Must,
        needs: &["text"],
        expects: "the last event of the stream is [DONE]",
        source: "",
        judge: done,
    }],
};
