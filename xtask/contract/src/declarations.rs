//! The types that the declarations of the toolkit begin with: reports, requests and snapshots of
//! all protocols. The bindings generator writes the classes and functions that follow.

use agentwire::runs;

use super::{Protocol, request_types, snapshot_types};

/// Returns the types of all protocols.
pub fn print(protocols: &[Protocol]) -> String {
    let requests = protocols
        .iter()
        .map(|protocol| protocol.kind.request_types())
        .chain([runs::request::TYPES]);
    let requests = requests.map(request_types::print);
    let snapshots = protocols.iter().map(|protocol| snapshot_types::print(protocol.kind.model()));
    [include_str!("common.d.ts.txt").to_owned()]
        .into_iter()
        .chain(requests)
        .chain(snapshots)
        .collect()
}
