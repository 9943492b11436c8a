//! The types of a protocol as its entry point exports them: without the prefix of the protocol.

use std::fmt::Write;

use agentwire::internals::declare::model::shape::{MemberShape, ObjectShape, ValueShape};
use agentwire::internals::request::table::RequestShape;

use super::text::doc;
use super::{Protocol, request_types, snapshot_types};

/// The types whose name without the prefix would be another one's, or unclear.
const RENAMED: [(&str, &str); 15] = [
    ("A2aError", "TaskError"),
    ("A2aSendMessageConfiguration", "SendConfiguration"),
    ("AgKitError", "TurnError"),
    ("AgKitToolCall", "InputToolCall"),
    ("AgUiSource", "MediaSource"),
    ("AgUiToolCall", "SnapshotToolCall"),
    ("AgentScopeError", "ReplyError"),
    ("AgentScopeReply", "Snapshot"),
    ("AiSdkMessage", "Snapshot"),
    ("AnthropicMessage", "Snapshot"),
    ("ChatCompletion", "Snapshot"),
    ("ChatFunction", "CalledFunction"),
    ("ChatToolCall", "SnapshotToolCall"),
    ("GeminiResponse", "Snapshot"),
    ("InteractionsInteraction", "Snapshot"),
];

/// The types that are declared again with their own names, so that editors show these.
const DECLARED: [(&str, &str); 6] = [
    ("A2aSnapshot", "Snapshot"),
    ("AgKitTurn", "Snapshot"),
    ("AgUiMessage", "Message"),
    ("AgUiSnapshot", "Snapshot"),
    ("Response", "Snapshot"),
    ("ResponsesResponse", "Snapshot"),
];

/// The tool calls of protocols whose snapshots have no list of them.
const TOOL_CALLS: [(&str, &str); 5] = [
    ("a2a", "A2aPart"),
    ("ai-sdk", "AiSdkPart"),
    ("chat", "ChatToolCall"),
    ("anthropic", "AnthropicToolUse"),
    ("gemini", "GeminiFunctionCall"),
];

/// Returns the exports. Types without the prefix (those of the Agent API) are exported by the
/// protocol's own `names.ts`.
pub fn print(protocol: &Protocol) -> String {
    let Protocol { kind, pascal, .. } = protocol;
    let declarations =
        request_types::print(kind.request_types()) + &snapshot_types::print(kind.model());
    let declared = declarations.lines().filter_map(|line| line.strip_prefix("export "));
    let names = declared.filter_map(|line| line.split([' ', '<']).nth(1));
    let names: Vec<&str> = names.collect();
    // If the snapshot is a property of the root object, that object is not exported.
    let root = kind.layout().snapshot.map(|_| format!("{pascal}Snapshot"));
    let is_exported =
        |name: &&str| root.as_deref() != Some(*name) && own_declaration(name).is_none();
    let mut out = String::from("export type {\n");
    for name in names.iter().copied().filter(is_exported) {
        let renamed = RENAMED.iter().find(|(declared, _)| *declared == name).map(|(_, own)| *own);
        let request = (name == request(protocol)).then_some("RequestInput");
        if let Some(own) = renamed.or(request).or_else(|| name.strip_prefix(pascal.as_str())) {
            // A type with the name of the protocol is its snapshot.
            let _ = writeln!(out, "  {name} as {},", if own.is_empty() { "Snapshot" } else { own });
        }
    }
    out += "} from \"../../agentwire.js\";\n";
    let _ = writeln!(out, "export type {{ {pascal}Event as Event }} from \"./events.js\";");
    let own: Vec<&str> = names.iter().filter_map(|name| own_declaration(name)).collect();
    if !own.is_empty() {
        let _ = writeln!(out, "export type {{ {} }} from \"./types.js\";", own.join(", "));
    }
    out
}

/// Returns the types of snapshots, tool calls, events and requests.
pub fn types(protocol: &Protocol) -> String {
    let Protocol { kind, pascal, .. } = protocol;
    let model = kind.model();
    let root = model.objects[0];
    let answer = match kind.layout().snapshot {
        Some(property) => object_in(root, property).expect("a snapshot is an object"),
        None => root,
    };
    let (call, request) = (tool_call(protocol, answer, root), request(protocol));
    let own =
        model.objects.iter().filter_map(|object| Some((*object, own_declaration(object.name)?)));
    let own: Vec<(&ObjectShape, &str)> = own.collect();
    let mut imported: Vec<&str> = own.iter().map(|(object, _)| object.name).collect();
    imported.extend([answer.name, request].into_iter().chain(call));
    imported.sort_unstable();
    imported.dedup();
    let mut out =
        format!("import type {{ {} }} from \"../../agentwire.js\";\n", imported.join(", "));
    let _ = writeln!(out, "import type {{ {pascal}Event }} from \"./events.js\";\n");
    for (object, name) in &own {
        out += &doc(object.doc, "");
        let _ = writeln!(out, "export interface {name} extends {} {{", object.name);
        // Lists of objects that have a name of their own.
        for member in object.members {
            if let Some(item) = item_of(&member.shape).and_then(|item| own_declaration(item.name)) {
                out += &doc(member.doc, "  ");
                let _ = writeln!(out, "  readonly {}: readonly {item}[];", member.name);
            }
        }
        out += "}\n\n";
    }
    let answer = own_declaration(answer.name).unwrap_or(answer.name);
    let call = call.unwrap_or("never");
    out + &format!(
        "/** The types of snapshots, tool calls, events and requests. */
export interface {pascal}Types {{
  readonly answer: {answer};
  readonly toolCall: {call};
  readonly event: {pascal}Event;
  readonly request: {request};
}}
"
    )
}

/// The type of the protocol's requests; those of the toy are of the Agent API.
fn request(protocol: &Protocol) -> &'static str {
    match protocol.kind.request_types().first() {
        Some(RequestShape::Object(shape)) => shape.name,
        _ => "AgentRequest",
    }
}

/// The type of a snapshot's tool calls: the objects in the list of the layout, or their members.
fn tool_call<'t>(
    protocol: &Protocol,
    answer: &'t ObjectShape,
    root: &'t ObjectShape,
) -> Option<&'t str> {
    let layout = protocol.kind.layout();
    let Some((list, tag)) = layout.tool_calls else {
        return TOOL_CALLS.iter().find(|(name, _)| *name == protocol.name).map(|(_, call)| *call);
    };
    let list = member(answer, list).or_else(|| member(root, list))?;
    match (&list.shape, tag, layout.calls_inside) {
        (_, None, Some(inside)) => {
            Some(item_of(&member(item_of(&list.shape)?, inside)?.shape)?.name)
        }
        (ValueShape::List(ValueShape::Union(union)), Some(tag), _) => {
            union.variants.iter().find(|(name, _)| *name == tag).map(|(_, object)| object.name)
        }
        _ => Some(item_of(&list.shape)?.name),
    }
}

fn member<'t>(object: &'t ObjectShape, name: &str) -> Option<&'t MemberShape> {
    object.members.iter().find(|member| member.name == name)
}

fn object_in(object: &ObjectShape, name: &str) -> Option<&'static ObjectShape> {
    object_of(&member(object, name)?.shape)
}

fn object_of(shape: &ValueShape) -> Option<&'static ObjectShape> {
    match shape {
        ValueShape::Object(object) => Some(object),
        ValueShape::Absent(inner) | ValueShape::Nullable(inner) => object_of(inner),
        _ => None,
    }
}

fn item_of(shape: &ValueShape) -> Option<&'static ObjectShape> {
    match shape {
        ValueShape::List(item) => object_of(item),
        ValueShape::Absent(inner) | ValueShape::Nullable(inner) => item_of(inner),
        _ => None,
    }
}

fn own_declaration(name: &str) -> Option<&'static str> {
    DECLARED.iter().find(|(declared, _)| *declared == name).map(|(_, own)| *own)
}
