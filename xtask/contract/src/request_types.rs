//! Declared requests as TypeScript.

use std::fmt::Write;

use agentwire::internals::request::table::{
    EitherRow, MemberRule, ObjectRow, RequestMemberRow, RequestShape, UnionRow,
};

use super::text::{doc, words};

/// Returns the types of requests, and those of the unions among the members of objects.
pub fn print(shapes: &[RequestShape]) -> String {
    let types = shapes.iter().map(|shape| match shape {
        RequestShape::Object(shape) => object(shape) + &shape.flat.map(union).unwrap_or_default(),
        RequestShape::Union(shape) => union(shape),
        RequestShape::Either(shape) => either(shape),
        other => panic!("only declared types have a name: {other:?}"),
    });
    types.collect()
}

fn object(object: &ObjectRow) -> String {
    let mut out = doc(object.doc, "");
    let _ = writeln!(out, "export type {} = {{", object.name);
    members(&mut out, object.members);
    let union = object.flat.map(|union| format!(" & {}", union.name)).unwrap_or_default();
    out + "}" + &union + if object.open { " & Record<string, unknown>;\n\n" } else { ";\n\n" }
}

fn union(union: &UnionRow) -> String {
    let mut out = doc(union.doc, "");
    let _ = write!(out, "export type {} =", union.name);
    for (name, rows) in union.names.iter().zip(union.members) {
        let _ = writeln!(out, "\n| {{\n    {}: \"{name}\";", union.tag);
        members(&mut out, rows);
        out.push('}');
    }
    out + ";\n\n"
}

fn either(either: &EitherRow) -> String {
    let values = either.members.iter().map(value);
    let values = values.collect::<Vec<_>>().join(" | ");
    format!("{}export type {} = {values};\n\n", doc(either.doc, ""), either.name)
}

/// Writes members. Those inside a nested object are adjacent.
fn members(out: &mut String, rows: &[RequestMemberRow]) {
    let mut around = None;
    for row in rows {
        let name = row.inside();
        if around.is_some() && around != name {
            out.push_str("    };\n");
        }
        if let Some(name) = name.filter(|_| around != name) {
            let _ = writeln!(out, "    {name}: {{");
        }
        around = name;
        let indent = if around.is_some() { "        " } else { "    " };
        let (optional, null) = (
            if row.is_required() { "" } else { "?" },
            if row.takes_null() { " | null" } else { "" },
        );
        let value = value(row);
        let _ =
            writeln!(out, "{}{indent}{}{optional}: {value}{null};", doc(row.doc, indent), row.name);
        for rule in row.rules {
            if let MemberRule::FollowedBy([name, text]) = rule {
                let _ = writeln!(out, "{indent}{name}?: \"{text}\";");
            }
        }
    }
    if around.is_some() {
        out.push_str("    };\n");
    }
}

/// Returns the type of a value without null, which the row handles.
fn value(row: &RequestMemberRow) -> String {
    let is_text =
        matches!(row.shape, RequestShape::Text | RequestShape::Nullable(RequestShape::Text));
    let by_rule = row.rules.iter().find_map(|rule| match rule {
        MemberRule::Object => Some("Record<string, unknown>".into()),
        MemberRule::OneOf(list) if is_text => Some(words(list)),
        _ => None,
    });
    by_rule.unwrap_or_else(|| match row.shape {
        RequestShape::Nullable(inner) => any(inner),
        shape => any(&shape),
    })
}

fn any(shape: &RequestShape) -> String {
    match shape {
        RequestShape::Text => "string".into(),
        RequestShape::Bool => "boolean".into(),
        RequestShape::Number => "number".into(),
        RequestShape::Json => "Json".into(),
        RequestShape::Named(name) => (*name).into(),
        RequestShape::Object(object) => object.name.into(),
        RequestShape::Union(union) => union.name.into(),
        RequestShape::Either(either) => either.name.into(),
        RequestShape::List(item) => any(item) + "[]",
        RequestShape::Nullable(inner) => any(inner) + " | null",
    }
}
