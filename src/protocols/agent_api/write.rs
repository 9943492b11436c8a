//! Writes the model as JSON in the runtime's own order of keys, which is the order of the declaration. (Spec 1.2, R5.)

use alloc::string::String;

use super::model::{Content, Message, Response};
use crate::core::declare::model::member::{Lists, Object as DeclaredObject, Writing};

/// The treatment of members without a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Every declared member is written, null when unset: byte for byte the output of the Python runtime.
    #[default]
    Wire,
    /// Members without a value are omitted.
    Compact,
}

/// The extent of an object in a piece of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// Everything; an empty list is a list. Used for snapshots.
    Listed,
    /// Everything; a message without parts has null, as the runtime writes it in events.
    Whole,
    /// The list inside is null: an event that only announces the object.
    Announced,
}

impl Response {
    /// Returns the response as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, Body::Listed);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, body: Body) {
        let lists = match body {
            Body::Listed => Lists::Written,
            Body::Whole => Lists::NullInside,
            Body::Announced => Lists::Null,
        };
        write(self, out, style, lists);
    }
}

impl Message {
    /// Returns the message as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, Body::Listed);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, body: Body) {
        let lists = match body {
            Body::Listed => Lists::Written,
            Body::Whole => Lists::NullIfEmpty,
            Body::Announced => Lists::Null,
        };
        write(self, out, style, lists);
    }
}

impl Content {
    /// Returns the content as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, false);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, delta: bool) {
        let writing = Writing { compact: style == Style::Compact, is_piece: delta, ..Writing::default() };
        DeclaredObject::write(self, out, writing);
    }
}

fn write(object: &impl DeclaredObject, out: &mut String, style: Style, lists: Lists) {
    object.write(out, Writing { compact: style == Style::Compact, lists, is_piece: false });
}
