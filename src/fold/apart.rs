//! Long strings inside free JSON, which cross beside it.
//!
//! A tool's output is an object with one long string in it. As JSON that string would be made three times over: escaped in
//! the core's memory, as part of a JavaScript string, and by `JSON.parse`. So the object crosses with the string empty, and
//! then the string by itself: what a stream of pieces of it would have done.

use alloc::string::String;

use super::patch::{Op, PatchBuffer, SHORT, digits};
use super::sink::{Key, Node, Sink, Value};
use crate::json::{Element, Raw, Str, SurrogateHalf, decode_into};

/// Objects with more members are not looked at: their long strings cannot be most of them.
const MEMBERS: usize = 32;

impl PatchBuffer {
    /// Sets a member to an object whose long strings cross by themselves. False, and nothing done, if it has none.
    pub(super) fn set_apart(&mut self, node: Node, key: Key, value: Element<'_, '_>) -> bool {
        let Ok(members) = value.object() else { return false };
        if value.raw().as_str().len() < SHORT || members.take(MEMBERS + 1).count() > MEMBERS {
            return false;
        }
        let is_apart = |name: Str<'_>, value: Element<'_, '_>| {
            let is_long = value.string().is_ok_and(|text| text.raw().len() >= SHORT);
            // Of a name that stands twice the last value counts, which this could not say.
            is_long && members.filter(|(other, _)| *other == name).count() == 1
        };
        let mut rest = String::new();
        let mut any = false;
        for (name, value) in members {
            rest.push_str(if rest.is_empty() { "{\"" } else { ",\"" });
            rest.push_str(name.raw());
            rest.push_str("\":");
            let apart = is_apart(name, value);
            rest.push_str(if apart { "\"\"" } else { value.raw().as_str() });
            any |= apart;
        }
        if any {
            rest.push('}');
            self.set(node, key, Value::Json(Raw(&rest)));
            for (name, value) in members.filter(|(name, value)| is_apart(*name, *value)) {
                self.append_apart(node, key, &name.to_str(), value);
            }
        }
        any
    }

    fn append_apart(&mut self, node: Node, key: Key, name: &str, value: Element<'_, '_>) {
        let Ok(text) = value.string() else { return };
        self.path(Op::AppendIn, node, key, &[name], 0);
        let from = self.long.len();
        let mut half = SurrogateHalf::NONE;
        let lone = decode_into(text, &mut half, &mut self.long);
        if lone == 0 && !half.is_waiting() {
            return self.long_string(self.long.len() - from);
        }
        // Half a character, which JavaScript can hold and UTF-8 cannot.
        self.long.truncate(from);
        self.long_string(0);
        self.path(Op::SetIn, node, key, &[name], digits(value.raw()));
        self.string(value.raw().as_str());
    }
}
