//! The contract of servers of AI SDK UI message streams.

use agentwire::ProtocolKind;

use super::{BEARER, as_it_is, plainly};
use crate::probe::check::{Check, Contract, ErrorForm, Level, expect};
use crate::probe::scenario::{
    AFTER_CUT, BROKEN_JSON, CUT, INVALID, NEXT_TURN, OTHER_METHOD, TEXT, UNKNOWN_MEMBER, WRONG_TYPE,
};
use crate::probe::shared::done;

pub static CONTRACT: Contract = Contract {
    protocol: ProtocolKind::AiSdk,
    source: "https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol",
    path: &[],
    key: BEARER,
    headers: &[],
    question: r#"{"id":"$id","messages":[{"id":"$id","role":"user","parts":[{"type":"text","text":"$text"}]}],"trigger":"submit-message"}"#,
    invalid: r#"{"id":"$id","messages":42,"trigger":"submit-message"}"#,
    errors: ErrorForm::Open,
    framed: as_it_is,
    streams: |_| Ok(()),
    reading: plainly,
    always: &[],
    scenarios: &[
        &TEXT,
        &NEXT_TURN,
        &UNKNOWN_MEMBER,
        &INVALID,
        &BROKEN_JSON,
        &WRONG_TYPE,
        &OTHER_METHOD,
        &CUT,
        &AFTER_CUT,
    ],
    checks: &[
        Check {
            id: "text-header",
            level: Level::Must,
            needs: &["text"],
            expects: "the response has the header `x-vercel-ai-ui-message-stream: v1`",
            source: "",
            judge: |evidence| {
                evidence.needs_success()?;
                let version = evidence.response().header("x-vercel-ai-ui-message-stream");
                expect(version == "v1", || format!("the header is `{version}`"))
            },
        },
        Check {
            id: "text-done",
            level: Level::Must,
            needs: &["text"],
            expects: "the last event of the stream is [DONE]",
            source: "",
            judge: done,
        },
    ],
};
