//! The types that the declarations of the toolkit begin with: reports, requests and snapshots of
//! all protocols. The bindings generator writes the classes and functions that follow.

use agentwire::{ProtocolKind, runs};

use super::{Protocol, events, request_types, snapshot_types};

/// The types of all protocols.
const COMMON: &str = include_str!("common.d.ts.txt");

/// Returns the types for crates that export snapshots and events from their own wasm, by the names
/// of their files: those of all protocols, and those of each.
pub fn of_crates(protocols: &[Protocol]) -> Vec<(&str, String)> {
    let of = |protocol: &Protocol| {
        let Protocol { pascal, kind, .. } = protocol;
        let model = kind.model();
        let root = model.objects[0].name;
        let named = format!("/** The answer of one stream. */\nexport type {pascal}Snapshot = ");
        let alias = match *kind {
            // In Rust, the calls are beside the response.
            ProtocolKind::AgentApi => {
                named
                    + "{ readonly response: Response; readonly toolCalls: readonly ToolCall[] };\n\n"
            }
            _ if root == format!("{pascal}Snapshot") => String::new(),
            _ => format!("{named}{root};\n\n"),
        };
        alias + &snapshot_types::print(model) + &events::types(protocol).0
    };
    let each = protocols.iter().map(|protocol| (&*protocol.folder, of(protocol)));
    [("common", COMMON.to_owned())].into_iter().chain(each).collect()
}

/// Returns the types of all protocols.
pub fn print(protocols: &[Protocol]) -> String {
    let requests = protocols
        .iter()
        .map(|protocol| protocol.kind.request_types())
        .chain([runs::request::TYPES]);
    let requests = requests.map(request_types::print);
    let snapshots = protocols.iter().map(|protocol| snapshot_types::print(protocol.kind.model()));
    [COMMON.to_owned()].into_iter().chain(requests).chain(snapshots).collect()
}
