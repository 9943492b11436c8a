//! The shape of a request as a table for JavaScript.

use agentwire::internals::request::table::{MemberRule, RequestMemberRow, RequestShape};
use agentwire::runs;

/// Returns the table of the body of `POST /runs`, with which the client validates it.
pub fn runs_input() -> String {
    let is_input = |shape: &&RequestShape| matches!(shape, RequestShape::Object(object) if object.name == "RunInput");
    let input =
        runs::request::TYPES.iter().find(is_input).expect("the body of `POST /runs` is declared");
    format!(
        "import type {{ ObjectShape }} from \"../../runs/shape.js\";\n\n\
         /** The declared shape of `RunInput`. */\nexport const RUN_INPUT: ObjectShape = {};\n",
        shape(input)
    )
}

fn shape(of: &RequestShape) -> String {
    match of {
        RequestShape::Text => "\"text\"".into(),
        RequestShape::Number => "\"number\"".into(),
        RequestShape::Json => "\"json\"".into(),
        RequestShape::List(item) => format!("{{ list: {} }}", shape(item)),
        RequestShape::Nullable(inner) => shape(inner),
        RequestShape::Object(object) => format!("{{ members: {} }}", members(object.members)),
        RequestShape::Union(union) => {
            let variants = union.names.iter().zip(union.members);
            let variants = variants.map(|(name, rows)| format!("{name}: {}", members(rows)));
            format!("{{ tag: \"{}\", variants: {{ {} }} }}", union.tag, joined(variants))
        }
        RequestShape::Either(either) => {
            let shapes = either
                .members
                .iter()
                .map(|row| format!("[\"{}\", {}]", row.name, shape(&row.shape)));
            format!("{{ either: [{}] }}", joined(shapes))
        }
        other => panic!("the client does not validate {other:?}"),
    }
}

fn members(rows: &[RequestMemberRow]) -> String {
    format!("[{}]", joined(rows.iter().map(member)))
}

fn member(row: &RequestMemberRow) -> String {
    assert_ne!(
        row.is_required(),
        row.takes_null(),
        "`{}`: null has the meaning of an absent member",
        row.name
    );
    let mut out = format!("{{ name: \"{}\", shape: {}", row.name, shape(&row.shape));
    if !row.is_required() {
        out += ", isOptional: true";
    }
    for rule in row.rules {
        match rule {
            MemberRule::Alias(alias) => out += &format!(", alias: \"{alias}\""),
            MemberRule::OneOf(words) => out += &format!(", oneOf: {words:?}"),
            MemberRule::NullIsAbsent | MemberRule::OmitWhenEmpty => {}
            other => panic!("the client does not validate {other:?}"),
        }
    }
    out + " }"
}

fn joined(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
