//! Declared answers as TypeScript, computed at compile time: the text that is written into the module has to be a
//! constant.

use super::shape::{MemberShape, Model, ObjectShape, Shape, UnionShape};
use crate::core::declare::typescript::Text;

impl Text {
    /// Returns the types of an answer.
    pub const fn of(model: &Model) -> Self {
        let mut text = Text::new();
        let mut at = 0;
        while at < model.words.len() {
            let words = model.words[at];
            text.doc("", words.doc);
            text.put(&["export type ", words.name, " ="]);
            let mut word = 0;
            while word < words.words.len() {
                text.put(&[if word == 0 { " \"" } else { " | \"" }, words.words[word], "\""]);
                word += 1;
            }
            text.put(&[if words.open { " | (string & {});\n\n" } else { ";\n\n" }]);
            at += 1;
        }
        at = 0;
        while at < model.objects.len() {
            text.object(model, model.objects[at]);
            at += 1;
        }
        at = 0;
        while at < model.unions.len() {
            text.union(model.unions[at]);
            at += 1;
        }
        text
    }

    const fn object(&mut self, model: &Model, object: &ObjectShape) {
        self.doc("", object.doc);
        let tag = model.tag(object);
        // The object of an open union for undeclared tags.
        let is_other = tag.is_none() && has_tag(object);
        self.put(&["export interface ", if is_other { "Other" } else { "" }, object.name, " {\n"]);
        if let (Some((tag, name)), None) = (tag, object.base) {
            self.put(&["  readonly ", tag, ": \"", name, "\";\n"]);
        }
        if let Some(base) = object.base {
            self.members(base.members, tag);
        }
        self.members(object.members, None);
        self.put(&[if is_other { "  readonly [member: string]: unknown;\n}\n\n" } else { "}\n\n" }]);
    }

    const fn members(&mut self, members: &[MemberShape], tag: Option<(&str, &str)>) {
        let mut at = 0;
        while at < members.len() {
            let MemberShape { name, doc, shape, .. } = &members[at];
            self.doc("  ", doc);
            let is_absent = matches!(shape, Shape::Absent(_));
            self.put(&["  readonly ", name, if is_absent { "?: " } else { ": " }]);
            match (shape, tag) {
                (Shape::Tag, Some((_, name))) => self.put(&["\"", name, "\""]),
                _ => self.shape(shape),
            }
            self.put(&[";\n"]);
            at += 1;
        }
    }

    const fn union(&mut self, union: &UnionShape) {
        self.doc("", union.doc);
        self.put(&["export type ", union.name, " ="]);
        let mut at = 0;
        while at < union.variants.len() {
            self.put(&[if at == 0 { " " } else { " | " }, union.variants[at].1.name]);
            at += 1;
        }
        if let Some(other) = union.other {
            self.put(&[" | Other", other.name]);
        }
        self.put(&[";\n\n"]);
    }

    const fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Text => self.put(&["string"]),
            Shape::Integer => self.put(&["number"]),
            Shape::Json | Shape::Tree => self.put(&["Json"]),
            Shape::Absent(inner) => self.shape(inner),
            Shape::JsonObject => self.put(&["{ readonly [key: string]: Json }"]),
            Shape::Fixed(json) => self.put(&[json]),
            Shape::Tag => self.put(&["OtherName"]),
            Shape::Words(words) => self.put(&[words.name]),
            Shape::Object(object) => self.put(&[object.name]),
            Shape::Union(union) => self.put(&[union.name]),
            Shape::List(item) => {
                self.put(&["readonly "]);
                self.shape(item);
                self.put(&["[]"]);
            }
            // `Json` includes null.
            Shape::Nullable(Shape::Json) => self.put(&["Json"]),
            Shape::Nullable(inner) => {
                self.shape(inner);
                self.put(&[" | null"]);
            }
        }
    }
}

/// Whether it is an object of a union with a member for its tag.
const fn has_tag(object: &ObjectShape) -> bool {
    let mut at = 0;
    while at < object.members.len() {
        if matches!(object.members[at].shape, Shape::Tag) {
            return true;
        }
        at += 1;
    }
    false
}

/// Writes the types of a declared answer into the module.
macro_rules! typescript {
    ($model:path) => {
        const _: () = {
            use wasm_bindgen::prelude::wasm_bindgen;
            #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
            const TEXT: $crate::core::declare::typescript::Text =
                $crate::core::declare::typescript::Text::of(&$model);
            #[wasm_bindgen(typescript_custom_section)]
            const TYPESCRIPT: &'static str = TEXT.as_str();
        };
    };
}
pub(crate) use typescript;
