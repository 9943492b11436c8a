//! The types of a protocol as its entry point exports them: without the prefix of the protocol.

use std::fmt::Write;

use super::{Protocol, request_types, snapshot_types};

/// The types whose name without the prefix would be another one's, or unclear.
const RENAMED: [(&str, &str); 15] = [
    ("A2aError", "TaskError"),
    ("A2aSendMessageConfiguration", "SendConfiguration"),
    ("A2aSendMessageRequest", "RequestInput"),
    ("AgKitError", "TurnError"),
    ("AgKitToolCall", "InputToolCall"),
    ("AgUiSource", "MediaSource"),
    ("AgUiToolCall", "SnapshotToolCall"),
    ("AiSdkMessage", "Snapshot"),
    ("AiSdkRequest", "RequestInput"),
    ("AnthropicMessage", "Snapshot"),
    ("ChatCompletion", "Snapshot"),
    ("ChatFunction", "CalledFunction"),
    ("ChatRequest", "RequestInput"),
    ("ChatToolCall", "SnapshotToolCall"),
    ("GeminiResponse", "Snapshot"),
];

/// The types that the protocol's `types.ts` declares with their own names, so that editors show
/// these.
const DECLARED: [&str; 5] =
    ["A2aSnapshot", "AgKitTurn", "AgUiMessage", "AgUiSnapshot", "ResponsesResponse"];

/// Returns the exports. Types without the prefix (those of the Agent API) are exported by the
/// protocol's own `names.ts`.
pub fn print(protocol: &Protocol) -> String {
    let Protocol { kind, pascal, .. } = protocol;
    let declarations =
        request_types::print(kind.request_types()) + &snapshot_types::print(kind.model());
    let declared = declarations.lines().filter_map(|line| line.strip_prefix("export "));
    let names = declared.filter_map(|line| line.split([' ', '<']).nth(1));
    // If the snapshot is a property of the root object, that object is not exported.
    let root = kind.layout().snapshot.map(|_| format!("{pascal}Snapshot"));
    let mut out = String::from("export type {\n");
    for name in names.filter(|name| root.as_deref() != Some(*name) && !DECLARED.contains(name)) {
        let renamed = RENAMED.iter().find(|(declared, _)| *declared == name).map(|(_, own)| *own);
        if let Some(own) = renamed.or_else(|| name.strip_prefix(pascal.as_str())) {
            // A type with the name of the protocol is its snapshot.
            let _ = writeln!(out, "  {name} as {},", if own.is_empty() { "Snapshot" } else { own });
        }
    }
    out + "} from \"../../agentwire.js\";\n"
}
