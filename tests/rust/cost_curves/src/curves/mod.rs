//! Kinds of streams: each repeats what a protocol lets a stream repeat. The tests of memory read
//! them, too.

mod a2a;
mod ag_kit;
mod ag_ui;
mod agent_api;
mod agentscope;
mod ai_sdk;
mod anthropic;
mod bodies;
mod chat;
mod gemini;
mod interactions;
mod responses;
pub mod stream;

/// The name of a stream, and the function that writes one of size `n`.
pub type Curve = (&'static str, fn(&mut stream::Stream, usize));

/// The kinds, by protocol.
pub const ALL: &[(&str, &[Curve])] = &[
    ("agent-api", agent_api::CURVES),
    ("agentscope", agentscope::CURVES),
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
    ("interactions", interactions::CURVES),
    ("agent-api", bodies::events::AGENT_API),
    ("agent-api", bodies::answers::AGENT_API),
    ("agentscope", bodies::events::AGENTSCOPE),
    ("ag-kit", bodies::events::AG_KIT),
    ("ag-ui", bodies::events::AG_UI),
    ("responses", bodies::events::RESPONSES),
    ("responses", bodies::answers::RESPONSES),
    ("a2a", bodies::events::A2A),
    ("a2a", bodies::answers::A2A),
    ("ai-sdk", bodies::events::AI_SDK),
    ("chat", bodies::events::CHAT),
    ("chat", bodies::answers::CHAT),
    ("anthropic", bodies::events::ANTHROPIC),
    ("anthropic", bodies::answers::ANTHROPIC),
    ("gemini", bodies::events::GEMINI),
    ("gemini", bodies::answers::GEMINI),
    ("interactions", bodies::events::INTERACTIONS),
    ("interactions", bodies::answers::INTERACTIONS),
];
