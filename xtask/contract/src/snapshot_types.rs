//! Declared snapshots as TypeScript.

use std::fmt::Write;

use agentwire::internals::declare::model::shape::{
    MemberShape, Model, ObjectShape, Shape, UnionShape,
};

use super::text::{doc, words};

/// Returns the types of a snapshot.
pub fn print(model: &Model) -> String {
    let lists = model.words.iter().map(|list| {
        let others = if list.open { " | (string & {})" } else { "" };
        format!(
            "{}export type {} = {}{others};\n\n",
            doc(list.doc, ""),
            list.name,
            words(list.words)
        )
    });
    let objects = model.objects.iter().map(|shape| object(model, shape));
    lists.chain(objects).chain(model.unions.iter().map(|shape| union(shape))).collect()
}

fn object(model: &Model, object: &ObjectShape) -> String {
    let tag = model.tag(object);
    // The object of an open union for undeclared tags.
    let is_other =
        tag.is_none() && object.members.iter().any(|member| matches!(member.shape, Shape::Tag));
    let mut out = doc(object.doc, "");
    let _ =
        writeln!(out, "export interface {}{} {{", if is_other { "Other" } else { "" }, object.name);
    if let (Some((tag, name)), None) = (tag, object.base) {
        let _ = writeln!(out, "    readonly {tag}: \"{name}\";");
    }
    if let Some(base) = object.base {
        members(&mut out, base.members, tag);
    }
    members(&mut out, object.members, None);
    out + if is_other { "    readonly [member: string]: unknown;\n}\n\n" } else { "}\n\n" }
}

fn members(out: &mut String, members: &[MemberShape], tag: Option<(&str, &str)>) {
    for MemberShape { name, doc: lines, shape, .. } in members {
        let optional = if matches!(shape, Shape::Absent(_)) { "?" } else { "" };
        let value = match (shape, tag) {
            (Shape::Tag, Some((_, name))) => format!("\"{name}\""),
            _ => value(shape),
        };
        let _ = writeln!(out, "{}    readonly {name}{optional}: {value};", doc(lines, "    "));
    }
}

fn union(union: &UnionShape) -> String {
    let known = union.variants.iter().map(|(_, object)| object.name.to_owned());
    let other = union.other.map(|other| format!("Other{}", other.name));
    let names: Vec<String> = known.chain(other).collect();
    format!("{}export type {} = {};\n\n", doc(union.doc, ""), union.name, names.join(" | "))
}

fn value(shape: &Shape) -> String {
    match shape {
        Shape::Text => "string".into(),
        Shape::Integer => "number".into(),
        // `Json` includes null.
        Shape::Json | Shape::Tree | Shape::Nullable(Shape::Json) => "Json".into(),
        Shape::JsonObject => "{ readonly [key: string]: Json }".into(),
        Shape::Fixed(json) => (*json).into(),
        Shape::Tag => "OtherName".into(),
        Shape::Words(words) => words.name.into(),
        Shape::Object(object) => object.name.into(),
        Shape::Union(union) => union.name.into(),
        Shape::Absent(inner) => value(inner),
        Shape::List(item) => format!("readonly {}[]", value(item)),
        Shape::Nullable(inner) => value(inner) + " | null",
    }
}
