//! Opaque members in one string, which clients of other protocols carry from an answer to the next
//! request.
//!
//! `aw1.<format>.<scope>.<JSON>`. The JSON is an object: `members`; whether they are a `block` of
//! their own; the `hash` of the reasoning that they belong to; and, for a string that is not at the
//! part that they belong to, the id of its `call`, with `result` if it is the result of this call,
//! or its number `part` in the message before the string, or `next` for the text after the string.

use alloc::string::String;
use alloc::vec::Vec;

use super::members::{take, take_text};
use super::{Content, Opaque, Part, RunBy};
use crate::json::{Member, Value};

const PREFIX: &str = "aw1.";

/// The format of members whose content was changed by the client: they are sent to no server.
pub(crate) const STALE: &str = "stale";

/// The nesting of the members of an envelope.
const MAX_DEPTH: u32 = 64;

/// Whether a JSON text may have a sealed string.
pub(crate) fn may_be_sealed(json: &str) -> bool {
    json.contains(PREFIX)
}

/// Whether a value has a sealed string anywhere. Then it does not pass through unchanged, even to
/// its own protocol.
pub fn is_sealed(value: &Value) -> bool {
    match value {
        Value::String(text) => text.starts_with(PREFIX),
        Value::Array(list) => list.iter().any(is_sealed),
        Value::Object(members) => members.iter().any(|member| is_sealed(&member.value)),
        _ => false,
    }
}

/// Opaque members as they were sealed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sealed {
    /// The members.
    pub opaque: Opaque,
    /// The id of the call that they belong to, if they were not sent at this call.
    pub call: Option<String>,
    /// Whether they belong to the result of `call`.
    pub result: bool,
    /// The number of the part that they belong to, in the message before the string, if they were
    /// not sent at this part.
    pub part: Option<u32>,
    /// Whether they belong to the text that follows the string.
    pub next: bool,
    /// Whether they are a whole block. Otherwise they are what is left of a block beside its
    /// content.
    pub block: bool,
    /// The hash of the reasoning that they belong to.
    pub hash: Option<u64>,
}

impl Sealed {
    /// Creates members that are sealed at the part that they belong to.
    pub fn new(opaque: Opaque) -> Self {
        Sealed {
            opaque,
            call: None,
            result: false,
            part: None,
            next: false,
            block: false,
            hash: None,
        }
    }

    /// Returns the string.
    pub fn seal(&self) -> String {
        let Sealed { opaque, call, result, part, next, block, hash } = self;
        let mut body = Value::from([("members", Value::Object(opaque.members.clone()))]);
        let mut add = |key, value: Option<Value>| {
            if let Some(value) = value {
                body.insert(key, value);
            }
        };
        add("call", call.as_deref().map(Value::from));
        add("result", result.then(|| true.into()));
        add("part", part.map(|part| i64::from(part).into()));
        add("next", next.then(|| true.into()));
        add("block", block.then(|| true.into()));
        add("hash", hash.map(|hash| hex(hash).into()));
        let mut sealed = String::from(PREFIX);
        sealed.extend(opaque.format.chars().map(|letter| if letter == '.' { '_' } else { letter }));
        sealed.push('.');
        sealed.push_str(opaque.scope.as_deref().unwrap_or_default());
        sealed.push('.');
        sealed.push_str(&body.to_json());
        sealed
    }

    /// Opens a string; `None` if it is not a sealed one. A damaged one is stale: its members are
    /// lost.
    pub fn open(sealed: &str) -> Option<Self> {
        let rest = sealed.strip_prefix(PREFIX)?;
        Some(Self::read(rest).unwrap_or_else(|| {
            Sealed::new(Opaque { format: STALE.into(), scope: None, members: Vec::new() })
        }))
    }

    fn read(rest: &str) -> Option<Self> {
        let mut pieces = rest.splitn(3, '.');
        let (format, scope, body) = (pieces.next()?, pieces.next()?, pieces.next()?);
        let mut body = Value::parse(body, MAX_DEPTH).ok()?;
        let members = match take(&mut body, "members")? {
            Value::Object(members) => members,
            _ => return None,
        };
        let hash = match body.text("hash") {
            Some(hash) => Some(u64::from_str_radix(hash, 16).ok()?),
            None => None,
        };
        let scope = Some(scope).filter(|scope| !scope.is_empty()).map(String::from);
        let opaque = Opaque { format: String::from(format).into(), scope, members };
        let is = |key| body.get(key) == Some(&Value::Bool(true));
        let (result, block, next) = (is("result"), is("block"), is("next"));
        let part = body.get("part").and_then(Value::integer);
        let call = take_text(&mut body, "call");
        Some(Sealed { opaque, call, result, part, next, block, hash })
    }

    /// Takes the strings of a member: one, or a list of them. A member with anything else stays.
    pub(crate) fn take(object: &mut Value, path: &str) -> Vec<Self> {
        let open = |value: &Value| Sealed::open(value.as_str()?);
        let found = path.split('.').try_fold(&*object, |value, name| value.get(name));
        let sealed = match found {
            Some(Value::Array(list)) => list.iter().map(open).collect(),
            Some(value) => open(value).map(|sealed| [sealed].into()),
            None => None,
        };
        if sealed.is_some() {
            take(object, path);
        }
        sealed.unwrap_or_default()
    }

    /// Adds members to the parts of a message: those without a number to the next part. What
    /// belongs to a part that is not there any more is stale.
    pub(crate) fn restore_all(list: impl IntoIterator<Item = Self>, parts: &mut Vec<Part>) {
        let mut blocks = Vec::new();
        let mut next = 0;
        for sealed in list {
            let at = sealed.part.map_or(next, |part| part as usize);
            next = next.max(at) + 1;
            match parts.get_mut(at) {
                Some(part) => blocks.extend(sealed.restore(part).map(|block| (at + 1, block))),
                None => {
                    let opaque = Opaque { format: STALE.into(), ..sealed.opaque };
                    blocks
                        .push((parts.len(), Part::new(Content::Native).with_opaque(Some(opaque))));
                }
            }
        }
        if blocks.is_empty() {
            return;
        }
        blocks.sort_by_key(|(at, _)| *at);
        let mut blocks = blocks.into_iter().peekable();
        for (at, part) in core::mem::take(parts).into_iter().enumerate() {
            while let Some((_, block)) = blocks.next_if(|(before, _)| *before <= at) {
                parts.push(block);
            }
            parts.push(part);
        }
        parts.extend(blocks.map(|(_, block)| block));
    }

    /// Whether the string was damaged: its members are lost.
    pub fn is_damaged(&self) -> bool {
        self.opaque.format == STALE
    }

    /// Whether the members still belong to a content: a client may have changed the reasoning.
    pub fn is_of(&self, content: &Content) -> bool {
        match (self.hash, content) {
            (Some(hash), Content::Reasoning { text, .. }) => hash == text_hash(text),
            _ => true,
        }
    }

    /// Adds the members to a part. If its content was changed, they are stale. Returns the block
    /// that follows the part, if they are one that follows a text.
    #[must_use]
    pub(crate) fn restore(self, part: &mut Part) -> Option<Part> {
        let is_same = self.is_of(&part.content);
        let mut opaque = self.opaque;
        if !is_same {
            opaque.format = STALE.into();
        }
        match &mut part.content {
            // A client has an empty reasoning where the provider has a block of its own.
            Content::Reasoning { text, .. } if self.block && text.is_empty() => {
                part.content = Content::Native
            }
            // A call that is a block of the provider is run by the provider.
            Content::Call(call) if self.block => call.by = RunBy::Provider,
            Content::Result(result) => {
                result.opaque = Some(opaque);
                return None;
            }
            Content::Text(_) if self.block => {
                return Some(Part::new(Content::Native).with_opaque(Some(opaque)));
            }
            _ => {}
        }
        part.opaque = Some(opaque);
        None
    }
}

/// A hash of a text that is given in pieces. It reads eight bytes at once, because it is computed
/// while a stream is converted, and detects changes, not attacks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextHash {
    hash: u64,
    /// The bytes that are not part of the hash yet, the first one lowest.
    rest: u64,
    /// The number of all bytes.
    length: u64,
}

impl TextHash {
    #[inline]
    pub(crate) fn add(&mut self, piece: &str) {
        let mut bytes = piece.as_bytes();
        while let Some((word, left)) = bytes.split_first_chunk() {
            self.word(u64::from_le_bytes(*word), 8);
            bytes = left;
        }
        // The loads overlap: the bytes that are read twice are the same.
        let word = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>(), bytes) {
            (Some(first), Some(last), _) => {
                let last = u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
                u64::from(u32::from_le_bytes(*first)) | last
            }
            (.., [first, .., last]) => {
                let middle = bytes.get(bytes.len() / 2).copied().unwrap_or_default();
                u64::from(*first)
                    | u64::from(middle) << (8 * (bytes.len() / 2))
                    | u64::from(*last) << (8 * (bytes.len() - 1))
            }
            (.., [only]) => u64::from(*only),
            _ => return,
        };
        self.word(word, bytes.len() as u64);
    }

    /// Adds up to eight bytes.
    #[inline]
    fn word(&mut self, word: u64, count: u64) {
        let filled = self.length % 8;
        self.rest |= word << (8 * filled);
        self.length += count;
        if filled + count >= 8 {
            self.hash = mixed(self.hash, self.rest);
            self.rest = if filled == 0 { 0 } else { word >> (64 - 8 * filled) };
        }
    }

    pub(crate) fn value(self) -> u64 {
        mixed(mixed(self.hash, self.rest), self.length)
    }
}

fn mixed(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

/// Returns the hash of a text.
pub(crate) fn text_hash(text: &str) -> u64 {
    let mut hash = TextHash::default();
    hash.add(text);
    hash.value()
}

/// Returns a number as 16 hexadecimal digits.
pub(crate) fn hex(number: u64) -> String {
    let digit =
        |at: u32| char::from_digit((number >> (60 - 4 * at) & 15) as u32, 16).unwrap_or('0');
    (0..16).map(digit).collect()
}

/// Decodes base64 of both alphabets.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'-' | b'+' => Some(62),
        b'_' | b'/' => Some(63),
        _ => None,
    };
    let text = text.trim_end_matches('=');
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        let word = chunk
            .iter()
            .try_fold(0u32, |word, letter| Some(word << 6 | u32::from(value(*letter)?)))?
            << (6 * (4 - chunk.len()));
        let bytes = word.to_be_bytes();
        out.extend_from_slice(bytes.get(1..chunk.len()).filter(|_| chunk.len() > 1)?);
    }
    Some(out)
}

impl Opaque {
    /// Seals the members of a part of this content.
    pub(crate) fn sealed_for(&self, content: &Content) -> String {
        let hash = match content {
            Content::Reasoning { text, .. } => Some(text_hash(text)),
            _ => None,
        };
        let block = match content {
            Content::Native => true,
            Content::Call(call) => call.by == RunBy::Provider,
            _ => false,
        };
        Sealed { hash, block, ..Sealed::new(self.clone()) }.seal()
    }

    /// Creates opaque members with one member.
    pub(crate) fn of_member(format: &'static str, key: &str, value: impl Into<Value>) -> Self {
        let members = Vec::from([Member { key: key.into(), value: value.into() }]);
        Opaque { format: format.into(), scope: None, members }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Call, RunBy};
    use super::*;

    fn opaque() -> Opaque {
        let mut opaque = Opaque::of_member("ai-sdk", "signature", "s==.é");
        opaque.scope = Some("0a1b2c3d".into());
        opaque
    }

    #[test]
    fn a_sealed_string_opens_to_what_was_sealed() {
        let plain = Sealed::new(opaque());
        assert!(plain.seal().starts_with("aw1.ai-sdk.0a1b2c3d."));
        let whole = Sealed {
            call: Some("c".into()),
            result: true,
            part: Some(2),
            next: true,
            block: true,
            hash: Some(7),
            ..plain.clone()
        };
        for sealed in [plain, whole] {
            assert_eq!(Sealed::open(&sealed.seal()), Some(sealed));
        }
    }

    #[test]
    fn other_strings_are_not_opened_and_damaged_ones_are_stale() {
        assert_eq!(Sealed::open("Z29v"), None);
        let sealed = Sealed::new(opaque()).seal();
        for length in (4..sealed.len()).filter(|length| sealed.is_char_boundary(*length)) {
            let cut = Sealed::open(&sealed[..length]).expect("a sealed string");
            assert!(cut.is_damaged(), "{length}");
        }
        assert!(!Sealed::open(&sealed).expect("a sealed string").is_damaged());
    }

    #[test]
    fn members_of_reasoning_that_was_changed_are_stale() {
        let content = |text: &str| Content::Reasoning { text: text.into(), summary: false };
        let sealed = opaque().sealed_for(&content("Hm."));
        let restored = |text| {
            let mut part = Part::new(content(text));
            assert_eq!(Sealed::open(&sealed).expect("a sealed string").restore(&mut part), None);
            part.opaque.expect("members").format
        };
        assert_eq!(restored("Hm."), "ai-sdk");
        assert_eq!(restored("Hm!"), STALE);
    }

    #[test]
    fn a_block_is_restored_as_one() {
        let restored = |sealed: &str, content| {
            let mut part = Part::new(content);
            assert_eq!(Sealed::open(sealed).expect("a sealed string").restore(&mut part), None);
            assert_eq!(part.opaque, Some(opaque()));
            part.content
        };
        let reasoning = Content::Reasoning { text: String::new(), summary: false };
        let native = opaque().sealed_for(&Content::Native);
        assert_eq!(restored(&native, reasoning.clone()), Content::Native);
        // A signature of an empty reasoning is not a block.
        assert_eq!(restored(&opaque().sealed_for(&reasoning), reasoning.clone()), reasoning);
        let mut call = Call::function("c", "search", "{}");
        call.by = RunBy::Provider;
        let hosted = opaque().sealed_for(&Content::Call(call.clone()));
        let read = Content::Call(Call::function("c", "search", "{}"));
        assert_eq!(restored(&hosted, read), Content::Call(call));
    }

    #[test]
    fn the_hash_of_a_text_does_not_depend_on_its_pieces() {
        let text = "The quick brown fox, and das Übel: 0123456789.";
        let whole = text_hash(text);
        for size in 1..20 {
            let mut hash = TextHash::default();
            let mut rest = text;
            while !rest.is_empty() {
                let end = (size..=rest.len())
                    .find(|end| rest.is_char_boundary(*end))
                    .unwrap_or(rest.len());
                hash.add(&rest[..end]);
                hash.add("");
                rest = &rest[end..];
            }
            assert_eq!(hash.value(), whole, "{size}");
        }
        let others =
            ["", "a", "\0", "\0\0", "aaaaaaaa", "aaaaaaaaa", &text[1..], &text[..text.len() - 1]];
        let mut hashes: Vec<u64> =
            others.iter().map(|text| text_hash(text)).chain([whole]).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), others.len() + 1);
    }

    #[test]
    fn a_block_after_a_text_is_a_part_of_its_own() {
        let mut text = Part::text("Hm.");
        let block = Sealed { block: true, ..Sealed::new(opaque()) }.restore(&mut text);
        assert_eq!(text, Part::text("Hm."));
        assert_eq!(block, Some(Part::new(Content::Native).with_opaque(Some(opaque()))));
    }

    #[test]
    fn members_are_given_to_the_parts_of_a_message() {
        let sealed = |part, block| Sealed { part, block, ..Sealed::new(opaque()) };
        let native = |format: &'static str| {
            Part::new(Content::Native)
                .with_opaque(Some(Opaque { format: format.into(), ..opaque() }))
        };
        let mut parts = Vec::from([Part::text("a"), Part::text("b")]);
        Sealed::restore_all(
            [sealed(None, false), sealed(Some(1), true), sealed(Some(7), false)],
            &mut parts,
        );
        let expected = [
            Part::text("a").with_opaque(Some(opaque())),
            Part::text("b"),
            native("ai-sdk"),
            native(STALE),
        ];
        assert_eq!(parts, expected);
        let one = Value::from([("opaque", Value::from(sealed(None, false).seal()))]);
        let list = Value::from([("opaque", Value::Array([Value::from("x")].into()))]);
        for (given, count) in [(one, 1), (list, 0)] {
            let mut object = Value::from([("metadata", given.clone())]);
            assert_eq!(Sealed::take(&mut object, "metadata.opaque").len(), count);
            assert_eq!(object.get("metadata").is_some(), count == 0);
        }
    }
}
