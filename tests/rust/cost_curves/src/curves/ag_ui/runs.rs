//! Runs: their starts, ends, questions and counts.

use super::{CALL, CALL_END, END, RUN, SUBAGENT, TEXT};
use crate::curves::Curve;

const STEP: &str = r#"{"type":"STEP_STARTED","stepName":"s$i"}"#;
const SPAN: &str = r#"{"type":"REASONING_START","messageId":"s$i"}"#;
/// An end with interrupts, before and after them.
const ASKS: [&str; 2] = [
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":["#,
    "]}}",
];
const ASK: &str = r#"{"id":"i$i","reason":"x"}"#;
const ASKS_ONE: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i$i","reason":"x"}]}}"#;
const ASKS_FIRST: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i0","reason":"x"}]}}"#;
const USES: [&str; 2] = [r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":["#, "]}"];
const USE: &str = r#"{"provider":"p","model":"m$i","inputTokens":1}"#;
const INPUT: [&str; 2] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":["#,
    "]}}",
];

pub const CURVES: &[Curve] = &[
    ("ends refused for open steps", |s, n| {
        s.event(RUN).each(n, [STEP]).times(n, END);
    }),
    ("ends refused for open texts", |s, n| {
        s.event(RUN).each(n, [TEXT]).times(n, END);
    }),
    ("ends refused for open calls", |s, n| {
        s.event(RUN).each(n, [CALL]).times(n, END);
    }),
    ("ends refused for open subagents", |s, n| {
        s.event(RUN).each(n, [SUBAGENT]).times(n, END);
    }),
    ("ends refused for open spans", |s, n| {
        s.event(RUN).each(n, [SPAN]).times(n, END);
    }),
    ("many open spans, which end in their order", |s, n| {
        s.event(RUN).each(n, [SPAN]).each(n, [&SPAN.replace("START", "END")]);
    }),
    ("many open spans, which end in another order", |s, n| {
        s.event(RUN)
            .each(n, [SPAN])
            .each(n, [&SPAN.replace("START", "END").replace("$i", "$mixed")]);
    }),
    ("many open steps, which end in another order", |s, n| {
        s.event(RUN)
            .each(n, [STEP])
            .each(n, [&STEP.replace("STARTED", "FINISHED").replace("$i", "$mixed")]);
    }),
    ("starts refused, with open texts", |s, n| {
        s.event(RUN).each(n, [TEXT]).times(n, RUN);
    }),
    ("runs with a call each", |s, n| {
        s.each(n, [RUN, CALL, CALL_END, END]);
    }),
    ("runs with reasoning each", |s, n| {
        let events = [
            RUN,
            r#"{"type":"REASONING_START","messageId":"m$i"}"#,
            r#"{"type":"REASONING_MESSAGE_START","messageId":"m$i","role":"reasoning"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m$i","delta":"x"}"#,
            r#"{"type":"REASONING_MESSAGE_END","messageId":"m$i"}"#,
            r#"{"type":"REASONING_END","messageId":"m$i"}"#,
            END,
        ];
        s.each(n, events);
    }),
    ("runs with new metadata", |s, n| {
        let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r$i","metadata":{"k$i":1}}"#;
        s.each(
            n,
            [start, r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r$i","metadata":{"z$i":1}}"#],
        );
    }),
    ("interrupts of one run, then runs", |s, n| {
        s.event(RUN).list(ASKS, n, ASK).each(n, [RUN, END]);
    }),
    ("runs with an interrupt each", |s, n| {
        s.each(n, [RUN, ASKS_ONE]);
    }),
    ("interrupts of one run, then runs with the first", |s, n| {
        s.event(RUN).list(ASKS, n, ASK).event(RUN).each(n, [ASKS_FIRST, RUN]);
    }),
    ("usage of many models", |s, n| {
        s.event(RUN).list(USES, 4 * n, USE);
    }),
    ("usage of many models, then of one of them", |s, n| {
        let one = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"provider":"p","model":"m1","inputTokens":1}]}"#;
        s.event(RUN).list(USES, n, USE).each(n, [RUN, one]);
    }),
    ("input of many messages, then of one of them", |s, n| {
        let one = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[{"id":"m0","role":"user","content":"a"}]}}"#;
        s.list(INPUT, n, r#"{"id":"m$i","role":"user","content":"a"}"#)
            .event(END)
            .each(n, [one, END]);
    }),
    ("steps with new metadata", |s, n| {
        let step = r#"{"type":"STEP_STARTED","stepName":"s$i","metadata":{"k$i":1}}"#;
        s.event(RUN).each(n, [step, r#"{"type":"STEP_FINISHED","stepName":"s$i"}"#]);
    }),
    ("custom events", |s, n| {
        s.event(RUN).times(
            n,
            r#"{"type":"CUSTOM","name":"x","value":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}"#,
        );
    }),
];
