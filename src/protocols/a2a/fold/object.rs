//! The conversion of the objects of the stream to objects of the snapshot, member by member as the
//! model declares them. In 0.3 the parts have another form. (A2A 2.2, A9 to A13.)

use alloc::{string::String, vec::Vec};

use super::part::Proto03;
use super::{A2aFold, Dialect};
use crate::core::declare::model::shape::{MemberShape, ObjectShape, ValueShape, WordsShape};
use crate::core::{Observed, Rule};
use crate::engine::{Context, Field, FieldValue, ObjectId, ObjectKind, ObjectLimit, Subject};
use crate::json::{Element, write_list, write_string};
use crate::protocols::a2a::{MODEL, Message, Part, Role, TaskState, rules};

/// The maximum number of members of an object of the model.
const MEMBERS: usize = 8;

/// The destination of an object of the stream: an object of the snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    pub shape: &'static ObjectShape,
    pub node: ObjectId,
    /// The object that contains it.
    pub parent: ObjectId,
    /// The owner of the object, for its violations.
    pub owner: Subject,
    pub dialect: Dialect,
    /// The object was placed elsewhere before: its violations were reported there.
    pub again: bool,
}

impl Destination {
    /// Creates the destination for an object in the root that has no owner.
    pub fn new(shape: &'static ObjectShape, node: ObjectId, dialect: Dialect) -> Self {
        Destination { shape, node, parent: 0, owner: Subject::NONE, dialect, again: false }
    }

    /// Reports a violation in the object, unless it was placed before.
    pub fn record(self, rule: &'static Rule, got: Observed<'_>, cx: &mut Context<'_>) {
        if !self.again {
            cx.record_in(rule, self.owner, None, got);
        }
    }

    /// Returns the objects of a list. Other elements are reported and left out.
    pub fn items<'d, 'a>(
        self,
        list: Element<'d, 'a>,
        name: &'static str,
        cx: &mut Context<'_>,
    ) -> Vec<Element<'d, 'a>> {
        if !self.has_type(list.array().is_ok(), name, cx) {
            return Vec::new();
        }
        let items = list.array().into_iter().flatten();
        let (objects, others): (Vec<_>, Vec<_>) = items.partition(|item| item.object().is_ok());
        for other in others {
            // The client of 1.0 throws on null, and that of 0.3 on any element that is not an
            // object.
            let rule = match self.dialect {
                Dialect::V0_3 => &rules::LEGACY_REQUIRED,
                Dialect::V1 if other.is_null() => &rules::MALFORMED_EVENT,
                Dialect::V1 => &rules::MEMBER_TYPE,
            };
            self.record(rule, Observed::Text(other.raw().as_str()), cx);
        }
        objects
    }

    /// Returns `is_right`. If it is false, reports that the member has a wrong type.
    pub fn has_type(self, is_right: bool, name: &'static str, cx: &mut Context<'_>) -> bool {
        if !is_right {
            self.record(&rules::MEMBER_TYPE, Observed::Named("another type for", name), cx);
        }
        is_right
    }
}

/// The values of the members of an object, in the order of its shape.
pub(super) type FoundMembers<'d, 'a> = [Option<Element<'d, 'a>>; MEMBERS];

impl A2aFold {
    /// Finds the declared members of an object. The others are handled as undeclared.
    pub(super) fn find<'d, 'a>(
        &mut self,
        json: Element<'d, 'a>,
        to: Destination,
        cx: &mut Context<'_>,
    ) -> FoundMembers<'d, 'a> {
        let mut found = [None; MEMBERS];
        let mut spelled = [NameSpelling::Snake; MEMBERS];
        let Ok(mut members) = json.object() else { return found };
        while let Some(value) = members.next_value() {
            let named = |member: &MemberShape| spelling(value, member.name);
            let known =
                to.shape.members.iter().enumerate().find_map(|(at, row)| Some((at, named(row)?)));
            let Some((at, how)) = known else {
                self.undeclared(value, to, cx);
                continue;
            };
            if how == NameSpelling::Snake && to.dialect == Dialect::V1 {
                to.record(&rules::PROTO_NAMES, Observed::Name(&value.key().to_str()), cx);
            }
            if value.is_null() || found[at].is_some() && how < spelled[at] {
                continue;
            }
            if found[at].is_some() && how == spelled[at] {
                to.record(
                    &rules::DUPLICATE_KEY,
                    Observed::Named("twice", to.shape.members[at].name),
                    cx,
                );
            }
            (found[at], spelled[at]) = (Some(value), how);
        }
        found
    }

    /// Writes an undeclared member unchanged. Members of 0.3 that have another form in 1.0 are left
    /// out.
    fn undeclared(&mut self, value: Element<'_, '_>, to: Destination, cx: &mut Context<'_>) {
        let is_part = to.shape.kind == Part::KIND.0;
        let is_legacy =
            to.dialect == Dialect::V0_3 && (value.is_of("kind") || is_part && value.is_of("file"));
        let is_legacy = is_legacy
            || is_part && value.is_of("file") && self.proto03.is_file(value)
            || to.shape.kind == Message::KIND.0 && self.is_content(value);
        if !is_legacy && !value.is_null() {
            cx.set_extra(to.node, &value.key().to_str(), value.raw());
        }
    }

    /// Reports whether a member is the parts of a message of 0.3 in the REST binding.
    fn is_content(&self, value: Element<'_, '_>) -> bool {
        self.proto03.applies() && value.is_of("content") && value.array().is_ok()
    }

    /// Writes an object of the stream to an object of the snapshot.
    pub(super) fn place(&mut self, json: Element<'_, '_>, to: Destination, cx: &mut Context<'_>) {
        const PARTS: usize = 4;
        let mut found = self.find(json, to, cx);
        if to.shape.kind == Message::KIND.0 && found[PARTS].is_none() {
            found[PARTS] = member(json, "content").filter(|content| self.is_content(*content));
        }
        if to.shape.kind == Part::KIND.0 {
            self.part(json, &mut found, to, cx);
        } else if to.shape.kind == Message::KIND.0 && to.dialect == Dialect::V0_3 {
            let is_text = |at: usize| {
                found[at].is_some_and(|value| value.string().is_ok_and(|id| !id.is_empty()))
            };
            // The id, the role and the parts.
            if !is_text(0) || !is_text(3) || found[PARTS].is_none_or(|parts| parts.array().is_err())
            {
                to.record(&rules::LEGACY_REQUIRED, Observed::Text(json.raw().as_str()), cx);
            }
        }
        self.write_members(&found, to, cx);
        if to.shape.kind == Message::KIND.0 {
            self.end_text(to, cx);
        }
    }

    /// Writes the members that were found.
    pub(super) fn write_members(
        &mut self,
        found: &FoundMembers<'_, '_>,
        to: Destination,
        cx: &mut Context<'_>,
    ) {
        for (row, value) in to.shape.members.iter().zip(found) {
            let (Some(value), ValueShape::Absent(shape), Some(key)) =
                (*value, row.shape, MODEL.find_key(row.name))
            else {
                continue;
            };
            match *shape {
                ValueShape::Text => self.text(value, key, row.name, to, cx),
                ValueShape::Words(words) => {
                    let got = Observed::Text(value.raw().as_str());
                    let known = word(value, words, to.dialect, self.proto03);
                    if known.is_some() && value.string().is_err() {
                        to.record(&rules::PROTO_NAMES, got, cx);
                    }
                    let at = known.unwrap_or_else(|| {
                        to.record(&rules::UNKNOWN_WORD, got, cx);
                        if to.dialect == Dialect::V0_3 { 0 } else { words.words.len() - 1 }
                    });
                    if at > 0 {
                        let is_state = words.words.len() == TaskState::ALL.len();
                        cx.set(
                            to.node,
                            key,
                            if is_state {
                                TaskState::ALL[at].value()
                            } else {
                                Role::ALL[at].value()
                            },
                        );
                    }
                }
                ValueShape::List(ValueShape::Object(inside)) => {
                    self.list(value, (key, row.name), inside, to, cx)
                }
                ValueShape::List(_) => self.names(value, key, row.name, to, cx),
                ValueShape::Object(inside) => {
                    if to.has_type(value.object().is_ok(), row.name, cx)
                        && let Some(node) = cx.open(
                            ObjectKind(inside.kind),
                            to.node,
                            key,
                            ObjectLimit::Messages,
                            to.owner,
                        )
                    {
                        self.place(
                            value,
                            Destination { shape: inside, node, parent: to.node, ..to },
                            cx,
                        );
                    }
                }
                // `data` can be any JSON, `metadata` an object or a list.
                _ => {
                    let is_right = row.name == "data" || matches!(value.first(), b'{' | b'[');
                    if to.has_type(is_right, row.name, cx) {
                        cx.set(to.node, key, FieldValue::Free(value));
                    }
                }
            }
        }
    }

    /// Writes a text. An empty text is treated as absent, unless it is the content of a part.
    fn text(
        &mut self,
        value: Element<'_, '_>,
        key: Field,
        name: &'static str,
        to: Destination,
        cx: &mut Context<'_>,
    ) {
        let is_text = value.string().is_ok();
        if !to.has_type(is_text, name, cx) && matches!(value.first(), b'{' | b'[') {
            return;
        }
        if let (Part::text, Ok(text)) = (key, value.string()) {
            return self.piece(text, to, cx);
        }
        let text = value.words();
        if !text.is_empty() || key == Part::raw || key == Part::url {
            cx.set_text(to.node, key, &text);
        }
    }

    /// Writes a list of names.
    fn names(
        &mut self,
        value: Element<'_, '_>,
        key: Field,
        name: &'static str,
        to: Destination,
        cx: &mut Context<'_>,
    ) {
        if !to.has_type(value.array().is_ok(), name, cx) {
            return;
        }
        let mut list = String::new();
        let items = value.array().into_iter().flatten();
        write_list(items, &mut list, |item, out| write_string(&item.words(), out));
        if list.len() > "[]".len() {
            cx.set_json(to.node, key, &list);
        }
    }

    /// Writes a list of objects.
    fn list(
        &mut self,
        value: Element<'_, '_>,
        (key, name): (Field, &'static str),
        shape: &'static ObjectShape,
        to: Destination,
        cx: &mut Context<'_>,
    ) {
        for (at, item) in to.items(value, name, cx).into_iter().enumerate() {
            if at == 0 {
                cx.set_json(to.node, key, "[]");
            }
            let Some(node) =
                cx.open(ObjectKind(shape.kind), to.node, key, ObjectLimit::Messages, to.owner)
            else {
                return;
            };
            self.place(item, Destination { shape, node, parent: to.node, ..to }, cx);
        }
    }
}

/// Returns the last member of an object with this name, unless it is null.
pub(super) fn member<'d, 'a>(json: Element<'d, 'a>, name: &str) -> Option<Element<'d, 'a>> {
    json.member(name).and_then(Element::or_null)
}

/// Reports whether a name is the snake_case form of a name in camelCase.
fn is_snake_of(name: &str, camel: &str) -> bool {
    let mut bytes = name.bytes();
    let same = camel.bytes().all(|byte| match byte.is_ascii_uppercase() {
        true => bytes.next() == Some(b'_') && bytes.next() == Some(byte.to_ascii_lowercase()),
        false => bytes.next() == Some(byte),
    });
    same && bytes.next().is_none()
}

/// The spelling of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum NameSpelling {
    Snake,
    Camel,
}

/// Returns the spelling of a member's name, or `None` if it is another name.
pub(super) fn spelling(member: Element<'_, '_>, camel: &str) -> Option<NameSpelling> {
    if member.is_of(camel) {
        return Some(NameSpelling::Camel);
    }
    member.key().as_plain().filter(|name| is_snake_of(name, camel)).map(|_| NameSpelling::Snake)
}

/// Returns the member with this name, unless it is null.
pub(super) fn named<'d, 'a>(json: Element<'d, 'a>, camel: &str) -> Option<Element<'d, 'a>> {
    find_spelling(json, camel).map(|(value, _)| value)
}

/// Returns such a member with its spelling. The last one takes precedence, and camelCase over
/// snake_case.
pub(super) fn find_spelling<'d, 'a>(
    json: Element<'d, 'a>,
    camel: &str,
) -> Option<(Element<'d, 'a>, NameSpelling)> {
    let mut found: Option<(Element<'d, 'a>, NameSpelling)> = None;
    let mut members = json.object().ok()?;
    while let Some(value) = members.next_value() {
        if let Some(spelling) = spelling(value, camel).filter(|_| !value.is_null())
            && found.is_none_or(|(_, before)| before <= spelling)
        {
            found = Some((value, spelling));
        }
    }
    found
}

/// Returns the index of the word that a value denotes, which may also be a number. The words of 0.3
/// are those of 1.0 in lower case, with hyphens, and without the prefix, which is the first word
/// without `UNSPECIFIED`.
pub(super) fn word(
    value: Element<'_, '_>,
    words: &WordsShape,
    dialect: Dialect,
    proto03: Proto03,
) -> Option<usize> {
    const UNSPECIFIED: &str = "UNSPECIFIED";
    let prefix =
        words.words.first().map_or(0, |first| first.len().saturating_sub(UNSPECIFIED.len()));
    let place = match value.string() {
        Ok(text) if dialect == Dialect::V0_3 => {
            let text = text.to_str();
            let is_spelled = |word: &&str| {
                let known = word.get(prefix..).unwrap_or_default().bytes();
                let known =
                    known.map(|byte| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() });
                !text.is_empty() && known.eq(text.bytes())
            };
            return words
                .words
                .iter()
                .position(is_spelled)
                .or_else(|| (text == "unknown").then_some(0));
        }
        Ok(text) if proto03.applies() && text == "TASK_STATE_CANCELLED" => {
            words.words.iter().position(|word| *word == "TASK_STATE_CANCELED")
        }
        Ok(text) => words.words.iter().position(|word| text == *word),
        Err(_) => value.integer().ok().and_then(|at| usize::try_from(at).ok()),
    };
    // The last word stands for all unknown words.
    place.filter(|at| *at < words.words.len() - 1)
}

#[cfg(test)]
mod words_tests {
    use super::*;

    #[test]
    fn snake_case_spellings_are_recognized() {
        assert!(is_snake_of("reference_task_ids", "referenceTaskIds") && is_snake_of("id", "id"));
        for other in [
            "referenceTaskIds",
            "reference_task_id",
            "reference_task_ids_",
            "reference__task_ids",
            "",
        ] {
            assert!(!is_snake_of(other, "referenceTaskIds"), "{other}");
        }
    }
}
