//! Bodies that are not streams of events: of servers that were not asked for a stream, of gateways
//! and of proxies.

pub mod answers;
pub mod events;
