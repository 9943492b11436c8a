//! The contracts of the protocols that servers are probed in, a file each.

mod a2a;
mod ag_kit;
mod ag_ui;
mod agent_api;
mod ai_sdk;
mod anthropic;
mod chat;
mod responses;

use agentwire::json::Value;
use agentwire::read::AnyOptions;

use super::check::Contract;

pub static CONTRACTS: &[&Contract] = &[
    &responses::CONTRACT,
    &chat::CONTRACT,
    &anthropic::CONTRACT,
    &ag_ui::CONTRACT,
    &a2a::CONTRACT,
    &ai_sdk::CONTRACT,
    &agent_api::CONTRACT,
    &ag_kit::CONTRACT,
];

/// The header with the key in most protocols.
const BEARER: (&str, &str) = ("authorization", "Bearer ");

/// Asks for a stream or a whole answer by the member `stream`.
fn with_stream(mut body: Value, streamed: bool) -> Value {
    body.insert("stream", streamed.into());
    body
}

/// Leaves a body as it is: the answer is always a stream.
fn as_it_is(body: Value, _streamed: bool) -> Value {
    body
}

/// Reads the answer without options.
fn plainly(_body: &Value, _options: &mut AnyOptions) {}
