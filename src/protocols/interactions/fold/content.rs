//! The contents of a step. Texts that follow each other are one.

use crate::core::Observed;
use crate::core::declare::model::shape::ValueShape;
use crate::engine::{Context, Field, FieldValue, ObjectId, ObjectLimit, Subject, TextSlot};
use crate::json::{Element, Raw, Str};
use crate::protocols::interactions::model::{Content, ContentType, InteractionsText, MODEL};
use crate::protocols::interactions::rules;

/// The list that a content is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContentList {
    pub step: ObjectId,
    pub key: Field,
    pub owner: Subject,
}

/// The last content of a step, if it is a text, which can grow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenContent {
    text: Option<OpenText>,
    /// The list is there.
    has_list: bool,
}

#[derive(Clone, Copy, Debug)]
struct OpenText {
    node: ObjectId,
    cell: TextSlot,
    has_annotations: bool,
}

impl OpenContent {
    /// Appends a piece to the text, or begins one.
    pub fn append(&mut self, list: ContentList, piece: Str<'_>, cx: &mut Context<'_>) {
        if let Some(text) = self.text(list, cx) {
            cx.append(text.cell, piece);
        }
    }

    /// Adds annotations to the text, or to an empty one.
    pub fn annotate(
        &mut self,
        list: ContentList,
        annotations: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        if annotations.array().is_err() {
            if !annotations.is_null() {
                let got = Observed::Named("another type of", "annotations");
                cx.record_in(&rules::MEMBER_TYPE, list.owner, None, got);
            }
            return;
        }
        if let Some(text) = self.text(list, cx) {
            text.add_annotations(annotations, cx);
        }
    }

    /// Adds a whole content. One that is a text can grow.
    pub fn add(&mut self, list: ContentList, json: Element<'_, '_>, cx: &mut Context<'_>) {
        self.end(cx);
        let name = json.member("type").map(Element::words).unwrap_or_default();
        let kind = ContentType::from(if name.is_empty() { "text" } else { &*name });
        if kind == ContentType::Text {
            return self.add_text(list, json, cx);
        }
        let Some(node) = self.open(list, &kind, cx) else { return };
        let shape = MODEL.objects[kind.kind().0 as usize];
        for (name, value) in json.members().filter(|(name, _)| *name != "type") {
            let name = name.to_str();
            let Some(member) = shape.member(&name) else {
                cx.set_extra(node, &name, value.raw());
                continue;
            };
            let Some(key) = MODEL.find_key(&name) else { continue };
            match (member.shape.inner().0, value.string()) {
                (ValueShape::Text, Ok(text)) => _ = cx.set_text(node, key, &text.to_str()),
                (ValueShape::Text, Err(_)) if value.is_null() => {}
                (ValueShape::Text, Err(_)) => super::wrong("the content", cx),
                _ => _ = cx.set(node, key, FieldValue::Free(value)),
            }
        }
    }

    /// Adds a text with its other members.
    fn add_text(&mut self, list: ContentList, json: Element<'_, '_>, cx: &mut Context<'_>) {
        let Some(text) = self.text(list, cx) else { return };
        for (name, value) in json.members() {
            match (&*name.to_str(), value.string()) {
                ("type", _) => {}
                ("text", Ok(piece)) => _ = cx.append(text.cell, piece),
                ("text", Err(_)) if value.is_null() => {}
                ("text", Err(_)) => super::wrong("the content", cx),
                ("annotations", _) if value.array().is_ok() => text.add_annotations(value, cx),
                (name, _) => _ = cx.set_extra(text.node, name, value.raw()),
            }
        }
    }

    /// Returns the text that grows, after its start.
    fn text(&mut self, list: ContentList, cx: &mut Context<'_>) -> Option<&mut OpenText> {
        if self.text.is_none() {
            let node = self.open(list, &ContentType::Text, cx)?;
            let cell = cx.text(node, InteractionsText::text, list.owner);
            self.text = Some(OpenText { node, cell, has_annotations: false });
        }
        self.text.as_mut()
    }

    /// Begins the list, unless it has begun.
    pub fn begin(&mut self, list: ContentList, cx: &mut Context<'_>) {
        if !core::mem::replace(&mut self.has_list, true) {
            cx.set_json(list.step, list.key, "[]");
        }
    }

    /// Opens a content without its members.
    fn open(
        &mut self,
        list: ContentList,
        kind: &ContentType,
        cx: &mut Context<'_>,
    ) -> Option<ObjectId> {
        self.begin(list, cx);
        let node = cx.open(kind.kind(), list.step, list.key, ObjectLimit::Contents, list.owner)?;
        if let ContentType::Other(name) = kind {
            cx.set_text(node, Content::r#type, name);
        }
        Some(node)
    }

    /// Ends the text: the next one is another content.
    pub fn end(&mut self, cx: &mut Context<'_>) {
        if let Some(text) = self.text.take() {
            cx.end_text(text.cell);
        }
    }
}

impl OpenText {
    fn add_annotations(&mut self, annotations: Element<'_, '_>, cx: &mut Context<'_>) {
        let list: Raw<'_> = annotations.raw();
        if self.has_annotations {
            cx.extend_in(self.node, Content::annotations, &[], list);
        } else {
            let list = FieldValue::Free(annotations);
            self.has_annotations = cx.set(self.node, Content::annotations, list);
        }
    }
}
