//! The protocols as arguments, under their names in the crate.

use agentwire::ProtocolKind;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// The protocol of a stream; `None` to detect it from the first event.
#[derive(Clone, Copy, Debug)]
pub struct SourceProtocol(pub Option<ProtocolKind>);

/// Reads the name of a protocol that can be written.
pub fn target() -> impl TypedValueParser<Value = ProtocolKind> {
    PossibleValuesParser::new(names(ProtocolKind::WRITABLE))
        .map(|name| named(&name).unwrap_or(ProtocolKind::FALLBACK))
}

/// Reads the name of a protocol, or `auto`.
pub fn source() -> impl TypedValueParser<Value = SourceProtocol> {
    PossibleValuesParser::new(["auto"].into_iter().chain(names(ProtocolKind::READABLE)))
        .map(|name| SourceProtocol(named(&name)))
}

/// Reads the name of a protocol that servers are called in.
#[cfg(feature = "gateway")]
pub fn upstream() -> impl TypedValueParser<Value = ProtocolKind> {
    PossibleValuesParser::new(upstream_names())
        .map(|name| named(&name).unwrap_or(ProtocolKind::FALLBACK))
}

/// Returns the names of the protocols that servers are called in.
#[cfg(feature = "gateway")]
pub fn upstream_names() -> impl Iterator<Item = &'static str> {
    agentwire::model::Model::protocols().map(ProtocolKind::as_str)
}

/// Returns the protocol of this name, if servers are called in it.
#[cfg(feature = "gateway")]
pub fn upstream_named(name: &str) -> Option<ProtocolKind> {
    agentwire::model::Model::protocols().find(|kind| kind.as_str() == name)
}

fn names(kinds: &'static [ProtocolKind]) -> impl Iterator<Item = &'static str> {
    kinds.iter().map(|kind| kind.as_str())
}

fn named(name: &str) -> Option<ProtocolKind> {
    ProtocolKind::READABLE.iter().copied().find(|kind| kind.as_str() == name)
}
