//! Long strings inside free JSON, which are transferred separately.
//!
//! A tool's output is often an object with one long string. As JSON, that string would be copied three times: escaped
//! in the core's memory, as part of a JavaScript string, and by `JSON.parse`. So the object is transferred with an
//! empty string, and then the string is appended, as for a stream of pieces.

use alloc::string::String;
use alloc::vec::Vec;

use super::buffer::{PatchBuffer, SHORT};
use super::op::Op;
use crate::core::sink::{Key, Node};
use crate::json::{Element, Raw, Str, SurrogateHalf, decode_into};

/// Objects with more members are skipped: their long strings cannot be most of their size.
const MEMBERS: usize = 32;

impl PatchBuffer {
    /// Sets a member, or the place inside it at the path, to an object whose long strings are transferred separately.
    /// Returns false and does nothing if the object does not have long strings.
    pub(super) fn set_hoisted(
        &mut self,
        node: Node,
        key: Key,
        path: &[&str],
        value: Element<'_, '_>,
    ) -> bool {
        let Ok(members) = value.object() else { return false };
        if value.raw().as_str().len() < SHORT || members.take(MEMBERS + 1).count() > MEMBERS {
            return false;
        }
        let is_hoisted = |name: Str<'_>, value: Element<'_, '_>| {
            let is_long = value.string().is_ok_and(|text| text.raw().len() >= SHORT);
            // The last value of a duplicate name counts, which the ops cannot express.
            is_long && members.filter(|(other, _)| *other == name).count() == 1
        };
        let mut rest = String::new();
        let mut any = false;
        for (name, value) in members {
            rest.push_str(if rest.is_empty() { "{\"" } else { ",\"" });
            rest.push_str(name.raw());
            rest.push_str("\":");
            let apart = is_hoisted(name, value);
            rest.push_str(if apart { "\"\"" } else { value.raw().as_str() });
            any |= apart;
        }
        if any {
            rest.push('}');
            self.set_free(node, key, path, Raw(&rest));
            for (name, value) in members.filter(|(name, value)| is_hoisted(*name, *value)) {
                let name = name.to_str();
                let path: Vec<&str> = path.iter().copied().chain([&*name]).collect();
                self.append_hoisted(node, key, &path, value);
            }
        }
        any
    }

    fn append_hoisted(&mut self, node: Node, key: Key, path: &[&str], value: Element<'_, '_>) {
        let Ok(text) = value.string() else { return };
        self.path(Op::AppendIn, node, key, path, 0);
        let from = self.long.len();
        let mut half = SurrogateHalf::NONE;
        let lone = decode_into(text, &mut half, &mut self.long);
        if lone == 0 && !half.is_waiting() {
            return self.long_string(self.long.len() - from);
        }
        // An unpaired surrogate, which JavaScript can represent and UTF-8 cannot.
        self.long.truncate(from);
        self.long_string(0);
        self.set_free(node, key, path, value.raw());
    }
}

#[cfg(test)]
mod tests {
    use crate::core::patch::{Op, PatchBuffer};
    use crate::core::sink::{Key, Sink, SinkValue};
    use crate::json::Document;

    /// Returns the kinds of the ops, the short strings and the long strings.
    fn crossing(json: &str, path: &[&str]) -> (Vec<u32>, String, String) {
        let document = Document::read(json, 9).expect("JSON");
        let mut patch = PatchBuffer::default();
        match path {
            [] => patch.set(1, Key(2), SinkValue::Free(document.root())),
            _ => patch.set_in(1, Key(2), path, SinkValue::Free(document.root())),
        }
        let heads = patch.ops().iter().filter(|word| *word >> 8 & 0xff == 2);
        (heads.map(|word| word & 0xff).collect(), patch.long().to_owned(), patch.text().to_owned())
    }

    const JSON: u32 = Op::Json as u32;
    const APPEND: u32 = Op::AppendIn as u32;
    const SET: u32 = Op::SetIn as u32;

    #[test]
    fn long_strings_follow_the_object_that_they_are_in() {
        let (a, b) = ("a".repeat(1024), r#"é\""#.repeat(1024));
        let json = format!(r#"{{"n": 1, "\u0061": "{a}" ,"s":"{{","b":"{b}"}}"#);
        let long = format!("{a}{}", "é\"".repeat(1024));
        let rest = r#"{"n":1,"\u0061":"","s":"{","b":""}"#;
        assert_eq!(crossing(&json, &[]), (vec![JSON, APPEND, APPEND], long.clone(), format!("{rest}ab")));
        assert_eq!(
            crossing(&json, &["x", "y"]),
            (vec![SET, APPEND, APPEND], long, format!("xy{rest}xyaxyb"))
        );
    }

    #[test]
    fn what_must_stay_stays() {
        let long = "a".repeat(1024);
        for json in [
            format!(r#"{{"a":"{}","b":["{}"]}}"#, &long[1..], &long[1..]),
            format!(r#"{{"a":{{"b":"{long}"}}}}"#),
            format!(r#"["{long}"]"#),
            format!(r#"{{"a":"{long}","\u0061":1}}"#),
        ] {
            assert_eq!(crossing(&json, &[]), (vec![JSON], json.clone(), String::new()));
        }
    }

    #[test]
    fn half_a_character_crosses_as_json() {
        let json = format!(r#"{{"a":"{}\ud83d"}}"#, "a".repeat(1024));
        let string = json[5..json.len() - 1].to_owned();
        assert_eq!(crossing(&json, &[]), (vec![JSON, APPEND, SET], string, r#"{"a":""}aa"#.to_owned()));
    }
}
