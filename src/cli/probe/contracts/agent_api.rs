//! The contract of servers of the Agent API.

use agentwire::ProtocolKind;

use super::{BEARER, plainly, with_stream};
use crate::probe::check::{Check, Contract, ErrorForm, Fault, Judged, Level, expect};
use crate::probe::evidence::{Evidence, text_at};
use crate::probe::scenario::{
    AFTER_CUT, BROKEN_JSON, CALL, CALL_RESULT, CUT, INVALID, NEXT_TURN, OTHER_METHOD, TEXT,
    UNKNOWN_MEMBER, WRONG_TYPE,
};
use crate::probe::shared::sequence_numbers;

pub static CONTRACT: Contract = Contract {
    protocol: ProtocolKind::AgentApi,
    source: "https://runtime.agentscope.io/en/protocol.html",
    path: &[],
    key: BEARER,
    headers: &[],
    question: r#"{"session_id":"$id","user_id":"$id","input":[{"role":"user","type":"message","content":[{"type":"text","text":"$text"}]}]}"#,
    // An object with wrong members is refused in the stream.
    invalid: "[]",
    errors: ErrorForm::Detail,
    framed: with_stream,
    streams: |_| Ok(()),
    reading: plainly,
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
    checks: &[
        Check {
            id: "text-session",
            level: Level::Must,
            needs: &["text"],
            expects: "the response has the session of the request",
            source: "",
            judge: session,
        },
        Check {
            id: "text-sequence-numbers",
            level: Level::Must,
            needs: &["text"],
            expects: "`sequence_number` counts the events from 0",
            source: "",
            judge: sequence_numbers,
        },
    ],
};

fn session(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    let sent = text_at(&evidence.answer.sent.framed, "session_id");
    let events = evidence.objects();
    let first = events.first().ok_or_else(|| Fault::failed("no event"))?;
    let received = text_at(first, "session_id");
    expect(received == sent, || format!("the session is `{received}`, and `{sent}` was sent"))
}
