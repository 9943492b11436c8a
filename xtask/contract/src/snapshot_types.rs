//! Declared snapshots as TypeScript.

use std::fmt::Write;

use agentwire::internals::declare::model::shape::{
    MemberShape, ModelShape, ObjectShape, UnionShape, ValueShape,
};

use super::text::{doc, words};

/// Returns the types of a snapshot.
pub fn print(model: &ModelShape) -> String {
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

fn object(model: &ModelShape, object: &ObjectShape) -> String {
    let tag = model.tag(object);
    // The object of an open union for undeclared tags.
    let is_other = tag.is_none()
        && object.members.iter().any(|member| matches!(member.shape, ValueShape::Tag));
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
        let optional = if matches!(shape, ValueShape::Absent(_)) { "?" } else { "" };
        let value = match (shape, tag) {
            (ValueShape::Tag, Some((_, name))) => format!("\"{name}\""),
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

fn value(shape: &ValueShape) -> String {
    match shape {
        ValueShape::Text => "string".into(),
        ValueShape::Integer => "number".into(),
        // `Json` includes null.
        ValueShape::Json | ValueShape::Tree | ValueShape::Nullable(ValueShape::Json) => {
            "Json".into()
        }
        ValueShape::JsonObject => "{ readonly [key: string]: Json }".into(),
        ValueShape::Fixed(json) => (*json).into(),
        ValueShape::Tag => "OtherName".into(),
        ValueShape::Words(words) => words.name.into(),
        ValueShape::Object(object) => object.name.into(),
        ValueShape::Union(union) => union.name.into(),
        ValueShape::Absent(inner) => value(inner),
        ValueShape::List(item) => format!("readonly {}[]", value(item)),
        ValueShape::Nullable(inner) => value(inner) + " | null",
    }
}
