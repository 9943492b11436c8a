//! The sink whose result is transferred to JavaScript: a flat list of numbers and one text.
//!
//! Each op is a few `u32`. The strings of a push are concatenated in one UTF-8 buffer, which
//! JavaScript decodes at once and slices by lengths in UTF-16 units (text that is not ASCII is
//! transferred as UTF-16, see `widen`). Long strings are in a second buffer and are decoded one by
//! one: their lengths are in bytes, with [`LONG`] added. Transferring an object or a string per
//! event costs more than parsing (README, "Architecture").
//!
//! | op | words |
//! |---|---|
//! | `Open` | op, key, kind · parent |
//! | `Null`, `True`, `False` | op, key · node (`Null`: with the argument 1 the member is not there any more, with 2 the undeclared one whose length of the name follows) |
//! | `Word` | op, key, word · node |
//! | `Int` | op, key · node · low half · high half |
//! | `Str`, `Append`, `Json` | op, key · node · length |
//! | `Extra` | op · node · length of the name · length of the JSON |
//! | `SetIn`, `AppendIn`, `ExtendIn` | op, key, steps · node · length of each step … · length |
//! | `AddIn` | op, key, steps · node · length of each step … · 1 if the sum is a float · length |
//! | `InsertIn` | as `SetIn` |
//! | `RemoveIn` | op, key, steps · node · length of each step … |
//! | `MoveIn` | op, key, steps of both · node · steps of the first · length of each step … |
//! | `Arrange` | op, key · parent · count · node … |
//! | `Share` | op, key, key of the other object · node · the other object |
//! | `MoveLast` | op, key · parent · node · place |
//! | `Remove` | op, key · parent · node |
//!
//! The first word is op (8 bits), key (8 bits) and one argument (16 bits). [`DIGITS`] in the
//! argument marks JSON that can contain an integer that a JavaScript number cannot represent:
//! JavaScript decides how to handle it. Long strings are removed from JSON, and an `AppendIn`
//! follows for each of them (`PatchBuffer::set_hoisted`).
//!
//! After the ops of the last patch of a stream follow the findings of its report:
//! `Report::write_new_findings` defines their format.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::core::sink::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::json::{Element, Raw, Str, SurrogateHalf, decode_into, push_integer, write_string};

#[cfg(feature = "wasm-reader")]
use crate::json::between;

// The ops by their numbers, the flags in their words, and the measures of texts for JavaScript.

/// Marks the length of a string in the second buffer.
pub const LONG: u32 = 1 << 31;

/// Marks the length of a text that crosses as UTF-16.
pub const WIDE: u32 = 1 << 30;

/// Marks an op whose JSON has 16 digits in a row.
pub const DIGITS: u16 = 1 << 15;

macro_rules! ops {
    ($($Op:ident $name:literal,)*) => {
        /// The kind of an op. The build passes the names and numbers to the package's JavaScript.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the table above the module")]
        #[non_exhaustive]
        pub enum Op {
            $($Op,)*
        }

        impl Op {
            /// The names in JavaScript, by number.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}
ops! {
    Open "OPEN",
    Null "NULL",
    True "TRUE",
    False "FALSE",
    Word "WORD",
    Int "INT",
    Str "STR",
    Append "APPEND",
    Json "FREE_JSON",
    Extra "EXTRA",
    SetIn "SET_IN",
    AppendIn "APPEND_IN",
    ExtendIn "EXTEND_IN",
    AddIn "ADD_IN",
    Arrange "ARRANGE",
    Share "SHARE",
    MoveLast "MOVE_LAST",
    Remove "REMOVE",
    InsertIn "INSERT_IN",
    RemoveIn "REMOVE_IN",
    MoveIn "MOVE_IN",
}

/// The identity of a build: JavaScript and wasm with different values are incompatible.
pub const CONTRACT: u32 = {
    let mut hash = fnv(0x811c_9dc5, env!("CARGO_PKG_VERSION"));
    let mut at = 0;
    while at < Op::NAMES.len() {
        hash = fnv(hash, Op::NAMES[at]);
        at += 1;
    }
    hash
};

/// Computes FNV-1a.
const fn fnv(mut hash: u32, text: &str) -> u32 {
    let mut at = 0;
    while at < text.len() {
        hash = (hash ^ text.as_bytes()[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// Whether a text has 16 digits in a row, as in every integer beyond ±2^53.
pub(crate) fn has_long_run(json: &str) -> bool {
    let bytes = json.as_bytes();
    // Any run of 16 contains a position that is a multiple of 16, so only those are checked first.
    (15..bytes.len()).step_by(16).filter(|&at| bytes[at].is_ascii_digit()).any(|at| {
        let back =
            bytes[..at].iter().rev().take(16).take_while(|byte| byte.is_ascii_digit()).count();
        let ahead = bytes[at..].iter().take(16).take_while(|byte| byte.is_ascii_digit()).count();
        back + ahead >= 16
    })
}

/// Returns the number of UTF-16 units of a text: one per character, two above U+FFFF. Counts eight
/// bytes at once, because every transferred character is counted.
pub(crate) fn utf16_length(text: &str) -> u32 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let units = |bytes: u64| {
        let continues = (bytes >> 7) & !(bytes >> 6) & LOW;
        let two_units = (bytes >> 7) & (bytes >> 6) & (bytes >> 5) & (bytes >> 4) & LOW;
        two_units.count_ones() + 8 - continues.count_ones()
    };
    let (words, tail) = text.as_bytes().as_chunks();
    // Padding bytes of the last word count as one unit each.
    let mut last = [0; 8];
    last[..tail.len()].copy_from_slice(tail);
    let last = units(u64::from_le_bytes(last)) + tail.len() as u32 - 8;
    words.iter().fold(last, |sum, word| sum + units(u64::from_le_bytes(*word)))
}

/// Appends a text as UTF-16, which JavaScript decodes many times faster than UTF-8 if the text is
/// not ASCII.
#[cfg(feature = "wasm-reader")]
pub(crate) fn widen(text: &str, out: &mut Vec<u16>) {
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        out.extend(between(rest, 0, ascii).bytes().map(u16::from));
        rest = between(rest, ascii, rest.len());
        let others = rest.bytes().position(|byte| byte.is_ascii()).unwrap_or(rest.len());
        out.extend(between(rest, 0, others).encode_utf16());
        rest = between(rest, others, rest.len());
    }
}

// The ops and texts of one push.

/// The minimum number of bytes of a long string. For shorter ones, slicing is cheaper than a call
/// to a decoder.
const SHORT: usize = 1 << 10;

/// The number of patch bytes that are kept in memory, and the size from which the caller should
/// read the patch.
const KEEP: usize = 1 << 20;

/// Collects the ops of one push.
#[derive(Debug, Default)]
pub struct PatchBuffer {
    ops: Vec<u32>,
    text: String,
    long: String,
    /// The target of the last op if it can still grow: its last word is the length of the appended
    /// text.
    growing: Option<AppendTarget>,
}

/// The target of an `Append`, or of an `AppendIn` of one step.
#[derive(Debug)]
struct AppendTarget {
    node: ObjectId,
    key: Field,
    /// The range of the step in the text.
    step: Range<usize>,
}

impl PatchBuffer {
    /// Returns the ops.
    pub fn ops(&self) -> &[u32] {
        &self.ops
    }

    /// Returns the short strings.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the short strings, for a text without a patch.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn text_mut(&mut self) -> &mut String {
        &mut self.text
    }

    /// Returns the long strings.
    pub fn long(&self) -> &str {
        &self.long
    }

    /// Clears the buffer, and keeps its memory up to a bound.
    pub fn clear(&mut self) {
        self.ops.clear();
        self.ops.shrink_to(KEEP / 4);
        for text in [&mut self.text, &mut self.long] {
            text.clear();
            text.shrink_to(KEEP);
        }
        self.growing = None;
    }

    fn head(&mut self, op: Op, key: Field, argument: u16, node: ObjectId) {
        self.growing = None;
        self.ops.push(op as u32 | u32::from(key.0) << 8 | u32::from(argument) << 16);
        self.ops.push(node);
    }

    /// Adds a word that does not belong to an op.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn word(&mut self, word: u32) {
        self.ops.push(word);
    }

    /// Adds a number as two words, low half first.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn long_word(&mut self, number: u64) {
        self.ops.extend([number as u32, (number >> 32) as u32]);
    }

    /// Adds the lengths of the strings: the short ones in UTF-16 units, the long ones in bytes.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn measure(&mut self) {
        self.ops.extend([utf16_length(&self.text), self.long.len() as u32]);
    }

    /// Adds a string and its length.
    pub(crate) fn string(&mut self, text: &str) {
        if text.len() < SHORT {
            self.text.push_str(text);
            self.ops.push(utf16_length(text));
        } else {
            self.long.push_str(text);
            self.long_string(text.len());
        }
    }

    /// Adds the length of a string that was appended to the long ones.
    fn long_string(&mut self, length: usize) {
        self.ops.push(length as u32 | LONG);
    }

    /// Appends to the last op if it has the same target; `step` is empty for the member itself.
    #[inline]
    fn grow(&mut self, node: ObjectId, key: Field, step: &str, text: &str) -> bool {
        let same = self.growing.as_ref().is_some_and(|growing| {
            growing.node == node
                && growing.key == key
                && self.text.get(growing.step.clone()) == Some(step)
        });
        let grows = same && text.len() < SHORT;
        if grows && let Some(length) = self.ops.last_mut() {
            *length += utf16_length(text);
            self.text.push_str(text);
        }
        grows
    }

    fn path(&mut self, op: Op, node: ObjectId, key: Field, path: &[&str], digits: u16) {
        self.head(op, key, path.len() as u16 | digits, node);
        for step in path {
            self.string(step);
        }
    }
}

// Writes the changes of an engine as ops.

impl PatchBuffer {
    /// Sets a member, or the place inside it at the path, to free JSON.
    fn set_free(&mut self, node: ObjectId, key: Field, path: &[&str], raw: Raw<'_>) {
        match path {
            [] => {
                self.head(Op::Json, key, digits(raw), node);
                self.string(raw.as_str());
            }
            _ => self.json_in(Op::SetIn, node, key, path, raw),
        }
    }

    /// Writes an op that has a path and JSON.
    fn json_in(&mut self, op: Op, node: ObjectId, key: Field, path: &[&str], raw: Raw<'_>) {
        self.path(op, node, key, path, digits(raw));
        self.string(raw.as_str());
    }

    fn append_in(&mut self, node: ObjectId, key: Field, path: &[&str], text: &str) {
        let step = if let [step] = path { *step } else { "" };
        if !step.is_empty() && self.grow(node, key, step, text) {
            return;
        }
        let from = self.text.len();
        self.path(Op::AppendIn, node, key, path, 0);
        self.string(text);
        let may_grow = !step.is_empty() && step.len() < SHORT && text.len() < SHORT;
        self.growing = may_grow.then(|| AppendTarget { node, key, step: from..from + step.len() });
    }
}

impl Sink for PatchBuffer {
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {
        self.head(Op::Open, list, kind.0.into(), parent);
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        match value {
            FieldValue::Null => self.head(Op::Null, key, 0, node),
            FieldValue::Bool(true) => self.head(Op::True, key, 0, node),
            FieldValue::Bool(false) => self.head(Op::False, key, 0, node),
            FieldValue::Word(word) => self.head(Op::Word, key, word.into(), node),
            FieldValue::Int(number) => {
                self.head(Op::Int, key, 0, node);
                self.ops.push(number as u32);
                self.ops.push((number >> 32) as u32);
            }
            FieldValue::Str(text) => {
                self.head(Op::Str, key, 0, node);
                self.string(text);
            }
            FieldValue::Json(raw) => self.set_free(node, key, &[], raw),
            FieldValue::Free(value) if self.set_hoisted(node, key, &[], value) => {}
            FieldValue::Free(value) => self.set_free(node, key, &[], value.raw()),
        }
    }

    fn unset(&mut self, node: ObjectId, key: Field) {
        self.head(Op::Null, key, 1, node);
    }

    fn append(&mut self, node: ObjectId, key: Field, text: &str) {
        if self.grow(node, key, "", text) {
            return;
        }
        self.head(Op::Append, key, 0, node);
        self.string(text);
        self.growing = (text.len() < SHORT).then_some(AppendTarget { node, key, step: 0..0 });
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        self.head(Op::Extra, Field(0), digits(value), node);
        self.string(name);
        self.string(value.as_str());
    }

    fn unset_extra(&mut self, node: ObjectId, name: &str) {
        self.head(Op::Null, Field(0), 2, node);
        self.string(name);
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        match change {
            JsonChange::Set(FieldValue::Free(value))
                if self.set_hoisted(node, key, path, value) => {}
            JsonChange::Set(value) => with_json(value, |raw| self.set_free(node, key, path, raw)),
            JsonChange::Append(text) => self.append_in(node, key, path, text),
            JsonChange::Extend(items) => self.json_in(Op::ExtendIn, node, key, path, items),
            JsonChange::Insert(value) => {
                with_json(value, |raw| self.json_in(Op::InsertIn, node, key, path, raw));
            }
            JsonChange::Add(summand, float) => {
                self.path(Op::AddIn, node, key, path, digits(summand));
                self.ops.push(float.into());
                self.string(summand.as_str());
            }
            JsonChange::Remove => self.path(Op::RemoveIn, node, key, path, 0),
            JsonChange::Move(to) => {
                self.head(Op::MoveIn, key, (path.len() + to.len()) as u16, node);
                self.ops.push(path.len() as u32);
                path.iter().chain(to).for_each(|step| self.string(step));
            }
        }
    }

    fn arrange(&mut self, parent: ObjectId, list: Field, nodes: &[ObjectId]) {
        self.head(Op::Arrange, list, 0, parent);
        self.ops.push(nodes.len() as u32);
        self.ops.extend_from_slice(nodes);
    }

    fn share(&mut self, node: ObjectId, key: Field, from: ObjectId, from_key: Field) {
        self.head(Op::Share, key, from_key.0.into(), node);
        self.ops.push(from);
    }

    fn move_last(&mut self, parent: ObjectId, list: Field, node: ObjectId, at: usize) {
        self.head(Op::MoveLast, list, 0, parent);
        self.ops.extend([node, at as u32]);
    }

    fn remove(&mut self, parent: ObjectId, list: Field, node: ObjectId) {
        self.head(Op::Remove, list, 0, parent);
        self.ops.push(node);
    }

    fn is_full(&self) -> bool {
        self.ops.len() * 4 + self.text.len() + self.long.len() > KEEP
    }
}

/// Passes a value as JSON to `work`.
fn with_json(value: FieldValue<'_>, work: impl FnOnce(Raw<'_>)) {
    let mut text = String::new();
    work(match value {
        FieldValue::Null | FieldValue::Word(_) => Raw("null"),
        FieldValue::Bool(value) => Raw(if value { "true" } else { "false" }),
        FieldValue::Int(number) => {
            push_integer(number, &mut text);
            Raw(&text)
        }
        FieldValue::Str(value) => {
            write_string(value, &mut text);
            Raw(&text)
        }
        FieldValue::Json(raw) => raw,
        FieldValue::Free(value) => value.raw(),
    });
}

/// Returns the flag of JSON that can contain an integer that a JavaScript number cannot represent.
fn digits(raw: Raw<'_>) -> u16 {
    if has_long_run(raw.as_str()) { DIGITS } else { 0 }
}

// Long strings inside free JSON, which are transferred separately.
//
// A tool's output is often an object with one long string. As JSON, that string would be copied
// three times: escaped in the core's memory, as part of a JavaScript string, and by `JSON.parse`.
// So the object is transferred with an empty string, and then the string is appended, as for a
// stream of pieces.

/// Objects with more members are skipped: their long strings cannot be most of their size.
const MEMBERS: usize = 32;

impl PatchBuffer {
    /// Sets a member, or the place inside it at the path, to an object whose long strings are
    /// transferred separately. Returns false and does nothing if the object does not have long
    /// strings.
    fn set_hoisted(
        &mut self,
        node: ObjectId,
        key: Field,
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

    fn append_hoisted(
        &mut self,
        node: ObjectId,
        key: Field,
        path: &[&str],
        value: Element<'_, '_>,
    ) {
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
    use super::*;
    use crate::json::Document;

    #[test]
    fn lengths_are_counted_in_utf16_units() {
        let text = "aé你😀".repeat(4);
        for start in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            for end in (start..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let part = &text[start..end];
                assert_eq!(utf16_length(part) as usize, part.encode_utf16().count(), "{part}");
            }
        }
    }

    /// Returns the kinds of the ops, the short strings and the long strings.
    fn crossing(json: &str, path: &[&str]) -> (Vec<u32>, String, String) {
        let document = Document::read(json, 9).expect("JSON");
        let mut patch = PatchBuffer::default();
        match path {
            [] => patch.set(1, Field(2), FieldValue::Free(document.root())),
            _ => patch.change_in(
                1,
                Field(2),
                path,
                JsonChange::Set(FieldValue::Free(document.root())),
            ),
        }
        let heads = patch.ops().iter().filter(|word| *word >> 8 & 0xff == 2);
        (heads.map(|word| word & 0xff).collect(), patch.long().to_owned(), patch.text().to_owned())
    }

    const JSON: u32 = Op::Json as u32;
    const APPEND: u32 = Op::AppendIn as u32;
    const SET: u32 = Op::SetIn as u32;

    #[test]
    fn long_strings_are_appended_after_their_object() {
        let (a, b) = ("a".repeat(1024), r#"é\""#.repeat(1024));
        let json = format!(r#"{{"n": 1, "\u0061": "{a}" ,"s":"{{","b":"{b}"}}"#);
        let long = format!("{a}{}", "é\"".repeat(1024));
        let rest = r#"{"n":1,"\u0061":"","s":"{","b":""}"#;
        assert_eq!(
            crossing(&json, &[]),
            (vec![JSON, APPEND, APPEND], long.clone(), format!("{rest}ab"))
        );
        assert_eq!(
            crossing(&json, &["x", "y"]),
            (vec![SET, APPEND, APPEND], long, format!("xy{rest}xyaxyb"))
        );
    }

    #[test]
    fn short_nested_and_repeated_strings_stay_in_the_json() {
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
    fn lone_surrogates_are_transferred_as_json() {
        let json = format!(r#"{{"a":"{}\ud83d"}}"#, "a".repeat(1024));
        let string = json[5..json.len() - 1].to_owned();
        assert_eq!(
            crossing(&json, &[]),
            (vec![JSON, APPEND, SET], string, r#"{"a":""}aa"#.to_owned())
        );
    }
}
