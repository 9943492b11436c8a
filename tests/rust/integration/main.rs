//! One binary for all integration tests: one link, one list of everything that is covered.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod a2a;
mod adapt;
mod ag_kit;
mod ag_ui;
mod agent_api;
mod agentscope;
mod ai_sdk;
mod anthropic;
mod builder;
mod carriers;
mod changes;
mod chat;
mod conversations;
mod corpus;
mod debug;
mod docs;
mod endings;
mod event_writer;
mod events;
mod foreign;
mod gemini;
mod interactions;
mod layers;
mod ndjson;
mod official;
mod other_protocols;
mod reading;
mod request;
mod responses;
mod rng;
mod runs;
mod schemas;
mod serde;
mod sse;
mod strict;

/// Converts a request, with ids that are counted.
fn convert<T: agentwire::convert::TypedRequest>(
    request: &impl agentwire::convert::ProtocolRequest,
    losses: &mut agentwire::hub::Losses,
) -> T {
    agentwire::convert::convert_typed(request, &mut agentwire::builder::Counter::default(), losses)
        .unwrap()
}

/// Returns the protocols that exist outside these tests: all but the one that tests declare.
fn spoken() -> impl Iterator<Item = agentwire::ProtocolKind> {
    agentwire::ProtocolKind::READABLE.iter().copied().filter(|kind| kind.as_str() != "toy")
}

/// Returns those of them that can be written: the targets of conversions.
fn written() -> impl Iterator<Item = agentwire::ProtocolKind> {
    spoken().filter(|kind| kind.is_writable())
}
