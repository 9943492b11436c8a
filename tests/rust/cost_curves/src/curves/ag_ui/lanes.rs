//! Subagents that work at the same time.

use super::{RUN, SUBAGENT, SUBAGENT_END};
use crate::curves::Curve;

const CHUNK: &str =
    r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m$i","delta":"a","subagentRunId":"l$i"}"#;
const CHUNK_AGAIN: &str =
    r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m$mixed","delta":"a","subagentRunId":"l$mixed"}"#;

pub const CURVES: &[Curve] = &[
    ("a chunk of each subagent, twice", |s, n| {
        s.event(RUN).each(n, [SUBAGENT]).each(n, [CHUNK]).each(n, [CHUNK_AGAIN]);
    }),
    ("a chunk of each lane, then states", |s, n| {
        s.event(RUN).each(n, [CHUNK]).times(n, r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#);
    }),
    ("a chunk of each lane, then a step of each", |s, n| {
        s.event(RUN).each(n, [CHUNK]);
        s.each(n, [r#"{"type":"STEP_STARTED","stepName":"x","subagentRunId":"l$i"}"#]);
    }),
    ("a chunk of each lane, then chunks without a lane", |s, n| {
        s.event(RUN).each(n, [CHUNK]).times(n, r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"a"}"#);
    }),
    ("a step in each lane, ended in another", |s, n| {
        s.event(RUN).each(n, [r#"{"type":"STEP_STARTED","stepName":"x","subagentRunId":"l$i"}"#]);
        s.each(n, [r#"{"type":"STEP_FINISHED","stepName":"x","subagentRunId":"k$i"}"#]);
    }),
    ("a step in each lane, ended in its order", |s, n| {
        s.event(RUN).each(n, [r#"{"type":"STEP_STARTED","stepName":"x$i","subagentRunId":"l$i"}"#]);
        s.each(n, [r#"{"type":"STEP_FINISHED","stepName":"x$i","subagentRunId":"l$i"}"#]);
    }),
    ("a step of one name in each lane, ended in its order", |s, n| {
        s.event(RUN).each(n, [r#"{"type":"STEP_STARTED","stepName":"x","subagentRunId":"l$i"}"#]);
        s.each(n, [r#"{"type":"STEP_FINISHED","stepName":"x","subagentRunId":"l$i"}"#]);
    }),
    ("subagents, each of the one before", |s, n| {
        s.event(RUN).event(r#"{"type":"SUBAGENT_STARTED","subagentRunId":"l0","name":"f"}"#);
        for at in 1..n {
            s.event(&format!(
                r#"{{"type":"SUBAGENT_STARTED","subagentRunId":"l{at}","name":"f","parentSubagentRunId":"l{}"}}"#,
                at - 1
            ));
        }
        s.each(n, [SUBAGENT_END]);
    }),
    ("a text of each subagent", |s, n| {
        let text = r#"{"type":"TEXT_MESSAGE_START","messageId":"m$i","role":"assistant","subagentRunId":"l$i"}"#;
        let piece = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m$mixed","delta":"a","subagentRunId":"l$mixed"}"#;
        s.event(RUN).each(n, [SUBAGENT]).each(n, [text]).each(n, [piece]).each(n, [SUBAGENT_END]);
    }),
];
