//! Declared requests as TypeScript, computed at compile time: the text that is written into the module has to be a
//! constant.

use crate::core::declare::typescript::Text;
use crate::core::request::shape::{EitherShape, MemberShape, ObjectShape, Shape, UnionShape};
use crate::core::request::table::{MemberRow, Rule};

impl Text {
    /// Returns the types of requests, in that order, and those of the unions among the members of objects.
    pub const fn of_requests(shapes: &[Shape]) -> Self {
        let mut text = Text::new();
        let mut at = 0;
        while at < shapes.len() {
            match &shapes[at] {
                Shape::Object(object) => {
                    text.request_object(object);
                    if let Some(union) = object.flat {
                        text.request_union(union);
                    }
                }
                Shape::Union(union) => text.request_union(union),
                Shape::Either(either) => text.request_either(either),
                _ => panic!("only declared types have a name"),
            }
            at += 1;
        }
        text
    }

    const fn request_object(&mut self, object: &ObjectShape) {
        self.doc("", object.doc);
        self.put(&["export type ", object.name, " = {\n"]);
        self.request_members("  ", object.rows, object.members);
        self.put(&["}"]);
        if let Some(union) = object.flat {
            self.put(&[" & ", union.name]);
        }
        self.put(&[if object.open { " & Record<string, unknown>;\n\n" } else { ";\n\n" }]);
    }

    const fn request_union(&mut self, union: &UnionShape) {
        self.doc("", union.doc);
        self.put(&["export type ", union.name, " =\n"]);
        let mut at = 0;
        while at < union.members.len() {
            self.put(&["  | {\n      ", union.row.tag, ": \"", union.row.names[at], "\";\n"]);
            self.request_members("      ", union.row.members[at], union.members[at]);
            self.put(&["    }"]);
            at += 1;
            self.put(&[if at == union.members.len() { ";\n\n" } else { "\n" }]);
        }
    }

    const fn request_either(&mut self, either: &EitherShape) {
        self.doc("", either.doc);
        self.put(&["export type ", either.name, " = "]);
        let mut at = 0;
        while at < either.shapes.len() {
            self.put(&[if at == 0 { "" } else { " | " }]);
            self.request_value(&either.rows[at], &either.shapes[at]);
            at += 1;
        }
        self.put(&[";\n\n"]);
    }

    /// Writes members. Members inside a nested object are adjacent.
    const fn request_members(&mut self, indent: &str, rows: &[MemberRow], members: &[MemberShape]) {
        let mut at = 0;
        let mut within = false;
        while at < rows.len() {
            let row = &rows[at];
            if let Some(name) = inside(row)
                && !within
            {
                self.put(&[indent, name, ": {\n"]);
                within = true;
            }
            self.doc(indent, members[at].doc);
            self.put(&[indent, row.name, if row.is_required() { ": " } else { "?: " }]);
            self.request_value(row, &members[at].shape);
            self.put(&[if row.takes_null() { " | null;\n" } else { ";\n" }]);
            at += 1;
            if within && (at == rows.len() || inside(&rows[at]).is_none()) {
                self.put(&[indent, "};\n"]);
                within = false;
            }
            let mut rule = 0;
            while rule < row.rules.len() {
                if let Rule::Then([name, text]) = &row.rules[rule] {
                    self.put(&[indent, name, "?: \"", text, "\";\n"]);
                }
                rule += 1;
            }
        }
    }

    /// Writes the type of a value without null, which the row handles.
    const fn request_value(&mut self, row: &MemberRow, shape: &Shape) {
        let mut at = 0;
        while at < row.rules.len() {
            match &row.rules[at] {
                Rule::Object => return self.put(&["Record<string, unknown>"]),
                Rule::OneOf(words) if matches!(shape, Shape::Text | Shape::Nullable(Shape::Text)) => {
                    let mut word = 0;
                    while word < words.len() {
                        self.put(&[if word == 0 { "\"" } else { " | \"" }, words[word], "\""]);
                        word += 1;
                    }
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        match shape {
            Shape::Nullable(inner) => self.request_shape(inner),
            shape => self.request_shape(shape),
        }
    }

    const fn request_shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Text => self.put(&["string"]),
            Shape::Bool => self.put(&["boolean"]),
            Shape::Number => self.put(&["number"]),
            Shape::Json => self.put(&["Json"]),
            Shape::Named(name) => self.put(&[name]),
            Shape::Object(object) => self.put(&[object.name]),
            Shape::Union(union) => self.put(&[union.name]),
            Shape::Either(either) => self.put(&[either.name]),
            Shape::List(item) => {
                self.request_shape(item);
                self.put(&["[]"]);
            }
            Shape::Nullable(inner) => {
                self.request_shape(inner);
                self.put(&[" | null"]);
            }
        }
    }
}

const fn inside(row: &MemberRow) -> Option<&'static str> {
    let mut at = 0;
    while at < row.rules.len() {
        if let Rule::Inside(name) = row.rules[at] {
            return Some(name);
        }
        at += 1;
    }
    None
}

/// Writes the types of declared requests into the module, in that order.
macro_rules! request_types {
    ($($Type:ty),* $(,)?) => {
        const _: () = {
            use wasm_bindgen::prelude::wasm_bindgen;
            #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
            const TEXT: $crate::core::declare::typescript::Text =
                $crate::core::declare::typescript::Text::of_requests(
                    &[$(<$Type as $crate::core::request::Typed>::SHAPE),*],
                );
            #[wasm_bindgen(typescript_custom_section)]
            const TYPESCRIPT: &'static str = TEXT.as_str();
        };
    };
}
pub(crate) use request_types;
