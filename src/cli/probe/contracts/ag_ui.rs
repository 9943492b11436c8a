//! The contract of servers of AG-UI.

use agentwire::ProtocolKind;

use super::BEARER;
use crate::probe::check::{Check, Contract, ErrorForm, Fault, Judged, Level, expect};
use crate::probe::evidence::{Evidence, text_at};
use crate::probe::scenario::{
    AFTER_CUT, BROKEN_JSON, CALL, CALL_RESULT, CUT, INVALID, NEXT_TURN, OTHER_METHOD, TEXT,
    UNKNOWN_MEMBER, WRONG_TYPE,
};
use crate::probe::sent::new_id;

pub static CONTRACT: Contract = Contract {
    protocol: ProtocolKind::AgUi,
    source: "https://docs.ag-ui.com/concepts/events",
    path: &[],
    key: BEARER,
    headers: &[],
    question: r#"{"threadId":"$id","runId":"$id","state":{},"messages":[{"id":"$id","role":"user","content":"$text"}],"tools":[],"context":[],"forwardedProps":{}}"#,
    invalid: r#"{"threadId":"$id","runId":"$id","messages":42}"#,
    errors: ErrorForm::Open,
    framed: |mut body, _| {
        body.insert("runId", new_id().into());
        body
    },
    streams: |_| Ok(()),
    reading: |body, options| {
        options.ag_ui.messages = body.get("messages").map(Into::into);
        options.ag_ui.state = body.get("state").map(Into::into);
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
    checks: &[
        Check {
            id: "text-run-ids",
            level: Level::Must,
            needs: &["text"],
            expects: "RUN_STARTED and RUN_FINISHED have the ids of the request",
            source: "",
            judge: run_ids,
        },
        Check {
            id: "next-turn-run-ids",
            level: Level::Must,
            needs: &["next-turn"],
            expects: "the second run has the id of its request, and the thread of the first",
            source: "",
            judge: run_ids,
        },
    ],
};

fn run_ids(evidence: &Evidence<'_>) -> Judged {
    evidence.needs_success()?;
    let events = evidence.objects();
    for kind in ["RUN_STARTED", "RUN_FINISHED"] {
        let found = events.iter().find(|event| text_at(event, "type") == kind);
        let event = found.ok_or_else(|| Fault::failed(format!("the stream has no {kind}")))?;
        for id in ["threadId", "runId"] {
            let (sent, received) = (text_at(&evidence.answer.sent.framed, id), text_at(event, id));
            expect(received == sent, || {
                format!("`{id}` of {kind} is `{received}`, and `{sent}` was sent")
            })?;
        }
    }
    Ok(())
}
