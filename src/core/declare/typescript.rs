//! Declared answers as TypeScript, worked out by the compiler: what is written into the module has to be a constant.

use super::shape::{MemberShape, Model, ObjectShape, Shape, UnionShape};

/// The text.
#[derive(Debug)]
pub(crate) struct Text {
    bytes: [u8; Text::MOST],
    length: usize,
}

impl Text {
    /// No protocol needs more.
    const MOST: usize = 1 << 15;

    pub(super) const fn new() -> Self {
        Text { bytes: [0; Text::MOST], length: 0 }
    }

    /// The types of an answer.
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
            text.put(&[";\n\n"]);
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

    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => panic!("only texts were put in"),
        }
    }

    const fn object(&mut self, model: &Model, object: &ObjectShape) {
        self.doc("", object.doc);
        self.put(&["export interface ", object.name, " {\n"]);
        if let Some((tag, name)) = model.tag(object) {
            self.put(&["  readonly ", tag, ": \"", name, "\";\n"]);
        }
        let mut at = 0;
        while at < object.members.len() {
            let MemberShape { name, doc, shape } = &object.members[at];
            self.doc("  ", doc);
            self.put(&["  readonly ", name, ": "]);
            self.shape(shape);
            self.put(&[";\n"]);
            at += 1;
        }
        self.put(&["}\n\n"]);
    }

    const fn union(&mut self, union: &UnionShape) {
        self.doc("", union.doc);
        self.put(&["export type ", union.name, " ="]);
        let mut at = 0;
        while at < union.variants.len() {
            self.put(&[if at == 0 { " " } else { " | " }, union.variants[at].1.name]);
            at += 1;
        }
        self.put(&[";\n\n"]);
    }

    const fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Text => self.put(&["string"]),
            Shape::Json => self.put(&["Json"]),
            Shape::Words(words) => self.put(&[words.name]),
            Shape::Object(object) => self.put(&[object.name]),
            Shape::Union(union) => self.put(&[union.name]),
            Shape::List(item) => {
                self.put(&["readonly "]);
                self.shape(item);
                self.put(&["[]"]);
            }
            // Any JSON may be null.
            Shape::Nullable(Shape::Json) => self.put(&["Json"]),
            Shape::Nullable(inner) => {
                self.shape(inner);
                self.put(&[" | null"]);
            }
        }
    }

    pub(super) const fn doc(&mut self, indent: &str, lines: &[&str]) {
        match lines {
            [] => {}
            [line] => self.put(&[indent, "/**", line, " */\n"]),
            lines => {
                self.put(&[indent, "/**\n"]);
                let mut at = 0;
                while at < lines.len() {
                    self.put(&[indent, " *", lines[at], "\n"]);
                    at += 1;
                }
                self.put(&[indent, " */\n"]);
            }
        }
    }

    pub(super) const fn put(&mut self, texts: &[&str]) {
        let mut at = 0;
        while at < texts.len() {
            let bytes = texts[at].as_bytes();
            let mut byte = 0;
            while byte < bytes.len() {
                self.bytes[self.length] = bytes[byte];
                self.length += 1;
                byte += 1;
            }
            at += 1;
        }
    }
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
