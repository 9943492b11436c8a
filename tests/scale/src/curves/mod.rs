//! Kinds of streams: each repeats what a protocol lets a stream repeat. The tests of memory read them, too.

mod a2a;
mod ag_kit;
mod ag_ui;
mod agent_api;
mod ai_sdk;
mod anthropic;
mod chat;
mod gemini;
mod responses;
pub mod stream;

/// The name of a stream, and the function that writes one of size `n`.
pub type Curve = (&'static str, fn(&mut stream::Stream, usize));

/// The kinds, by protocol.
pub const ALL: &[(&str, &[Curve])] = &[
    ("agent-api", agent_api::CURVES),
    ("ag-kit", ag_kit::CURVES),
    ("ag-ui", ag_ui::runs::CURVES),
    ("ag-ui", ag_ui::messages::CURVES),
    ("ag-ui", ag_ui::snapshots::CURVES),
    ("ag-ui", ag_ui::lanes::CURVES),
    ("ag-ui", ag_ui::activities::CURVES),
    ("ag-ui", ag_ui::state::CURVES),
    ("responses", responses::items::CURVES),
    ("responses", responses::parts::CURVES),
    ("a2a", a2a::CURVES),
    ("ai-sdk", ai_sdk::CURVES),
    ("chat", chat::CURVES),
    ("anthropic", anthropic::CURVES),
    ("gemini", gemini::CURVES),
];
