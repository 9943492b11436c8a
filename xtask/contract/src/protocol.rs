//! The declarations of one protocol: its tables, and the names of its reader.

use std::fmt::Write;

use agentwire::Limits;
use agentwire::internals::OPTIONS_EACH;
use agentwire::json::Value;
use agentwire::read::ReadOptions;

use super::Protocol;
use super::text::{doc, option_members, option_rows};

/// Returns keys, words, templates, the place of the answer, and options.
pub fn tables(protocol: &Protocol) -> String {
    let Protocol { number, kind, name, pascal, .. } = protocol;
    let schema = Value::parse(&kind.patch_schema(), 16).expect("the crate has written it");
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/** The tables that decode a patch (names, words and templates by number), the properties of the root object, and the options. */"
    );
    let _ = writeln!(out, "export const TABLES = {{");
    let _ = writeln!(out, "  name: \"{name}\",\n  number: {number},");
    for list in ["keys", "words", "templates"] {
        let Some(Value::Array(items)) = schema.get(list) else { panic!("no {list}") };
        let _ = writeln!(out, "  {list}: [");
        for item in items {
            let item = unquoted(&item.to_json());
            let _ = match list {
                "templates" => writeln!(out, "    () => ({item}),"),
                _ => writeln!(out, "    {item},"),
            };
        }
        let _ = writeln!(out, "  ],");
    }
    let layout = kind.layout();
    let _ = writeln!(out, "  snapshot: {},", or_undefined(layout.snapshot));
    let (list, tag) = layout.tool_calls.unwrap_or_default();
    let _ = writeln!(out, "  toolCalls: \"{list}\",\n  toolCallType: {},", or_undefined(tag));
    let _ = writeln!(out, "  callsInside: {},", or_undefined(layout.calls_inside));
    let _ = writeln!(out, "  binary: {},", or_undefined(kind.binary_type()));
    let first = ReadOptions::ALL.len() + Limits::ALL.len() + OPTIONS_EACH * number;
    let _ = writeln!(out, "  options: {},", option_rows(kind.options(), first));
    let _ = writeln!(out, "}} as const;\n");
    for list in kind.model().words.iter().filter(|list| list.open) {
        out += &doc(&[list.doc, &[" Servers may send other values."]].concat(), "");
        let _ = writeln!(out, "export const {} = {:?} as const;\n", plural(list.name), list.words);
    }
    let _ = writeln!(out, "/** The options that only this protocol has. */");
    let _ =
        writeln!(out, "export interface {pascal}Options {{\n{}}}", option_members(kind.options()));
    out
}

/// Formats JSON as a JavaScript object, without quotes around keys that are names.
fn unquoted(json: &str) -> String {
    let mut out = String::new();
    let mut rest = json;
    while let Some(at) = rest.find("\":") {
        let start = rest[..at].rfind('"').unwrap_or_default();
        out += &rest[..start];
        out += &rest[start + 1..at];
        out += ": ";
        rest = &rest[at + 2..];
    }
    (out + rest).replace(",", ", ").replace('{', "{ ").replace('}', " }")
}

/// Converts `RunStatus` to `RUN_STATUSES`.
fn plural(name: &str) -> String {
    let mut out = String::new();
    for (at, character) in name.char_indices() {
        if at > 0 && character.is_uppercase() {
            out.push('_');
        }
        out.extend(character.to_uppercase());
    }
    out + if name.ends_with('s') { "ES" } else { "S" }
}

fn or_undefined(text: Option<&str>) -> String {
    text.map_or("undefined".into(), |text| format!("\"{text}\""))
}

/// Returns the module of this protocol's reader, without the modules that its folder lacks. The API
/// of a model has no `connect`, and nothing to resume.
pub fn reading(protocol: &Protocol) -> String {
    let lines = include_str!("reading.ts.txt").lines().filter(|line| {
        let is_for_agents =
            ["/connect.js", "/chatting.js", "{ resume }"].iter().any(|part| line.contains(part));
        let is_in_folder = ["create_request", "names"]
            .iter()
            .all(|module| !line.contains(&format!("}}/{module}.js")) || protocol.has(module));
        is_in_folder && (protocol.connects() || !is_for_agents)
    });
    let module = lines.collect::<Vec<_>>().join("\n") + "\n";
    filled(&module, protocol)
}

/// Returns the entry point of this protocol, which adds the WebAssembly to its reader.
pub fn entry(protocol: &Protocol) -> String {
    filled(include_str!("entry.ts.txt"), protocol)
}

fn filled(template: &str, protocol: &Protocol) -> String {
    let Protocol { name, folder, pascal, constant, .. } = protocol;
    template
        .replace("{{name}}", name)
        .replace("{{folder}}", folder)
        .replace("{{Pascal}}", pascal)
        .replace("{{CONSTANT}}", constant)
}
