//! The initial values of the objects of a declared answer, and the tables that a reader of the patch needs.

use alloc::string::String;

use super::shape::{Model, ObjectShape, Shape};
use crate::core::sink::Kind;
use crate::json::{Object, put, write_list, write_string};

impl Model {
    /// Returns the initial value of an object of a kind, as JSON.
    pub fn template(&self, kind: Kind) -> String {
        let mut out = String::new();
        if let Some(object) = self.objects.get(kind.0 as usize) {
            self.write_template(object, &mut out);
        }
        out
    }

    fn write_template(&self, object: &ObjectShape, out: &mut String) {
        let mut json = Object::open(out, false);
        let tag = self.tag(object);
        let base = object.base.map_or(&[][..], |base| base.members);
        // An object with a member for its tag has the tag there, any other object at the beginning.
        let has_place = base.iter().any(|member| matches!(member.shape, Shape::Tag));
        if let (Some((tag, name)), false) = (tag, has_place) {
            json.string(tag, Some(name));
        }
        for member in base.iter().chain(object.members) {
            if matches!(member.shape, Shape::Absent(_)) {
                continue;
            }
            let out = json.member(member.name);
            match member.shape {
                Shape::Text => write_string("", out),
                Shape::Words(_) if !member.start.is_empty() => write_string(member.start, out),
                Shape::Words(words) => write_string(words.words.first().copied().unwrap_or_default(), out),
                Shape::Tag => write_string(tag.map_or("", |(_, name)| name), out),
                Shape::Fixed(json) => put(out, json),
                Shape::Integer => put(out, "0"),
                Shape::List(_) => put(out, "[]"),
                Shape::Tree => put(out, "{}"),
                Shape::Absent(_)
                | Shape::Json
                | Shape::JsonObject
                | Shape::Nullable(_)
                | Shape::Object(_)
                | Shape::Union(_) => {
                    put(out, "null");
                }
            }
        }
        json.close();
    }

    /// Returns the tables as one JSON text: `{"keys": [...], "words": [...], "templates": [...]}`, the templates as
    /// objects. A reader of [`PatchBuffer`](crate::core::patch::PatchBuffer)'s ops needs them.
    pub fn patch_schema(&self) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out, false);
        write_list(self.members(), object.member("keys"), |member, out| write_string(member.name, out));
        write_list(self.words(), object.member("words"), write_string);
        write_list(self.objects, object.member("templates"), |object, out| self.write_template(object, out));
        object.close();
        out
    }
}
