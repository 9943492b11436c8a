//! The events of a protocol on the wire, as TypeScript types: members that servers omit are
//! optional, and undeclared members are allowed.

use std::fmt::Write;

use agentwire::internals::declare::events::form::{Check, Null};
use agentwire::internals::declare::events::table::{EventMemberRow, EventRow, EventTable};
use agentwire::internals::declare::model::shape::{UnionShape, ValueShape};

use super::Protocol;
use super::text::doc;

/// Returns the module with the types of all events.
pub fn print(protocol: &Protocol) -> String {
    let (types, imports) = types(protocol);
    format!("import type {{ {} }} from \"../../agentwire.js\";\n\n{types}", imports.join(", "))
}

/// Returns the types of all events, and the names that they import.
pub fn types(protocol: &Protocol) -> (String, Vec<&'static str>) {
    let table = protocol.kind.events();
    let mut types = Types {
        protocol,
        out: String::new(),
        named: Vec::new(),
        imports: Vec::new(),
        shared: Vec::new(),
    };
    types.events(table);
    let Types { out, mut imports, .. } = types;
    imports.extend(["Json", "OtherName"]);
    imports.retain(|name| names(&out, name));
    imports.sort_unstable();
    imports.dedup();
    (out, imports)
}

/// Returns whether a text contains a word.
fn names(text: &str, word: &str) -> bool {
    text.split(|character: char| !character.is_alphanumeric()).any(|part| part == word)
}

struct Types<'a> {
    protocol: &'a Protocol,
    out: String,
    /// The named objects that were printed.
    named: Vec<&'static str>,
    imports: Vec<&'static str>,
    /// The printed members that every event has.
    shared: Vec<String>,
}

impl Types<'_> {
    fn events(&mut self, table: &EventTable) {
        let Protocol { pascal, .. } = self.protocol;
        let tag = table.tag;
        let mut union = Vec::new();
        self.shared = self.shared_members(table);
        if !self.shared.is_empty() {
            let members = self.shared.concat();
            let _ = writeln!(
                self.out,
                "/** The properties that every event can have. */\nexport interface {pascal}EventMembers {{\n{members}}}\n"
            );
        }
        for row in table.rows {
            let (kind, optional) = if row.name.is_empty() {
                ("null".into(), "?")
            } else {
                (format!("{:?}", row.name), "")
            };
            union.push(self.event(row, &format!("readonly {tag}{optional}: {kind}")));
        }
        let _ = write!(
            self.out,
            "/** The end marker `[DONE]`: on the wire it is plain text, not JSON. */\n\
             export interface {pascal}Done {{\n{}  readonly type: \"[DONE]\";\n}}\n\n\
             /** An event of an unknown type. */\n\
             export interface {pascal}OtherEvent {{\n  readonly {tag}: OtherName;\n  readonly [member: string]: unknown;\n}}\n\n\
             /** An object without an event type. */\n\
             export interface {pascal}NamelessEvent {{\n  readonly {tag}?: null;\n  readonly [member: string]: unknown;\n}}\n\n",
            if tag == "type" { String::new() } else { format!("  readonly {tag}?: never;\n") },
        );
        union.push(format!("{pascal}Done"));
        union.push(format!("{pascal}OtherEvent"));
        union.push(format!("{pascal}NamelessEvent"));
        let _ = writeln!(
            self.out,
            "/** One event of a stream: `switch` on `{tag}`. */\nexport type {pascal}Event =\n  | {};",
            union.join("\n  | ")
        );
    }

    /// Returns the members that all events have in the same form. Empty if events are objects with
    /// their own names.
    fn shared_members(&mut self, table: &EventTable) -> Vec<String> {
        let [first, others @ ..] = table.rows else { return Vec::new() };
        if table.rows.iter().any(|row| row.shape.name.is_some() || row.name.is_empty()) {
            return Vec::new();
        }
        let mut shared: Vec<String> =
            (0..first.members.len()).map(|at| self.member(first, at, false)).collect();
        for row in others {
            let own: Vec<String> =
                (0..row.members.len()).map(|at| self.member(row, at, false)).collect();
            shared.retain(|member| own.contains(member));
        }
        shared
    }

    /// Returns one member with its documentation.
    fn member(&mut self, row: &EventRow, at: usize, is_known_by: bool) -> String {
        let (member, shape) = (&row.members[at], &row.shape.members[at]);
        let mut value = self.value(member, member.name == self.protocol.kind.events().tag);
        if let Some(words) = shape.words {
            self.imports.push(words.name);
            value = value.replacen("string", words.name, 1);
        }
        let optional = if member.may_be_absent && !is_known_by { "?" } else { "" };
        format!("{}  readonly {}{optional}: {value};\n", doc(shape.doc, "  "), member.name)
    }

    /// Returns the type of one kind of event; unnamed ones get the name of the protocol and their
    /// own.
    fn event(&mut self, row: &EventRow, tagged: &str) -> String {
        match row.shape.name {
            Some(name)
                if row.shape.variants.is_some() || is_nested(self.protocol.kind.events(), name) =>
            {
                if !self.named.contains(&name) {
                    self.object(row, name, None);
                }
                format!("({name} & {{ {tagged} }})")
            }
            Some(name) => {
                self.object(row, name, Some(tagged));
                name.into()
            }
            None => {
                let own = match row.name.chars().next() {
                    None => "Untyped".into(),
                    // JSON-RPC, whose tag is only its version.
                    Some('0'..='9') => "Versioned".into(),
                    Some(_) => pascal(row.name),
                };
                let name = format!("{}{own}Event", self.protocol.pascal);
                self.object(row, &name, Some(tagged));
                name
            }
        }
    }

    /// Writes an object, after the objects that it contains.
    fn object(&mut self, row: &EventRow, name: &str, tagged: Option<&str>) {
        if let Some(name) = row.shape.name {
            self.named.push(name);
        }
        let varying: Vec<&str> = row.shape.varying().collect();
        let tag = self.protocol.kind.events().tag;
        let mut members = String::new();
        if let Some(tagged) = tagged {
            let _ = writeln!(members, "  {tagged};");
        }
        let is_untyped = tagged.is_some() && row.name.is_empty();
        let mut extends = "";
        for (at, member) in row.members.iter().enumerate() {
            let is_variant = row.shape.variants.is_some_and(|union| union.tag == member.name);
            if varying.contains(&member.name)
                || is_variant
                || member.name == tag && tagged.is_some()
            {
                continue;
            }
            let member = self.member(row, at, is_untyped && at == 0);
            match tagged.is_some() && self.shared.contains(&member) {
                true => extends = "EventMembers",
                false => members += &member,
            }
        }
        let extends = match extends {
            "" => String::new(),
            base => format!(" extends {}{base}", self.protocol.pascal),
        };
        self.out += &doc(row.shape.doc, "");
        match row.shape.variants {
            None if is_untyped => {
                let _ = writeln!(
                    self.out,
                    "export interface {name} {{\n{members}  readonly [member: string]: unknown;\n}}\n"
                );
            }
            None => {
                let _ = writeln!(self.out, "export interface {name}{extends} {{\n{members}}}\n");
            }
            Some(union) => {
                let _ =
                    writeln!(self.out, "export type {name} = {{\n{members}}} & {name}Payload;\n");
                self.variants(union, name, &varying);
            }
        }
    }

    /// Writes the members of the variants, and of the payload without a tag, which the present
    /// member determines.
    fn variants(&mut self, union: &UnionShape, name: &str, varying: &[&str]) {
        let tag = union.tag;
        let _ = writeln!(
            self.out,
            "/** The payload, by `{tag}`. Without a `{tag}`, the property that is present determines it. */\nexport type {name}Payload ="
        );
        for (word, object) in union.variants {
            let own: String = object
                .members
                .iter()
                .map(|member| {
                    let value = match member.shape {
                        ValueShape::Nullable(ValueShape::JsonObject) => {
                            "{ readonly [key: string]: Json }"
                        }
                        _ => "string",
                    };
                    format!("; readonly {}?: {value} | null", member.name)
                })
                .collect();
            let _ = writeln!(self.out, "  | {{ readonly {tag}: \"{word}\"{own} }}");
        }
        let any: Vec<String> =
            varying.iter().map(|member| format!("readonly {member}?: Json")).collect();
        let _ = writeln!(
            self.out,
            "  | {{ readonly {tag}: OtherName; readonly [member: string]: unknown }}\n  | {{ readonly {tag}?: null; {} }};\n",
            any.join("; ")
        );
    }

    fn value(&mut self, member: &EventMemberRow, is_tag: bool) -> String {
        let value = match member.check {
            _ if is_tag => return "Json".into(),
            Check::Text | Check::Id => "string".into(),
            // Old servers write numbers as texts of digits.
            Check::Integer => "number | string".into(),
            Check::Bool => "boolean".into(),
            Check::List(table) => format!("readonly {}[]", self.nested(table)),
            Check::Object(table) => self.nested(table),
            // The other checks are those of the JSON inside of events.
            _ => return "Json".into(),
        };
        if member.null == Null::Rejected { value } else { value + " | null" }
    }

    fn nested(&mut self, table: &EventTable) -> String {
        let [row] = table.rows else {
            panic!("objects of several kinds in one place have no type yet")
        };
        let name =
            row.shape.name.expect("an object inside of events has a name: `Object as \"Name\"`");
        if !self.named.contains(&name) {
            self.object(row, name, None);
        }
        name.into()
    }
}

/// Returns whether other objects contain an object of that name.
fn is_nested(table: &EventTable, name: &str) -> bool {
    let inside =
        table.rows.iter().flat_map(|row| row.members).filter_map(|member| member.check.table());
    let is_it = |row: &EventRow| row.shape.name == Some(name);
    inside.into_iter().any(|table| table.rows.iter().any(is_it) || is_nested(table, name))
}

/// Converts `tool-call-args` and `TOOL_CALL_ARGS` to `ToolCallArgs`.
fn pascal(name: &str) -> String {
    let words = name.split(['-', '_', '.']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..].to_lowercase()).collect()
}
