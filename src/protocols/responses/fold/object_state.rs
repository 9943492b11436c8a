//! An object of the answer, with the last values of its members, so that the same value is not set
//! again.

use alloc::{boxed::Box, vec::Vec};

use super::word;
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::core::declare::model::shape::{MemberShape, ObjectShape, ValueShape};
use crate::engine::{Context, Digest, DigestKey, Field, FieldValue, ObjectId, Subject, TextSlot};
use crate::json::{Element, Str};
use crate::protocols::responses::{MODEL, rules};

/// An object of the answer. Each declared member is set if its value has changed. Lists of objects
/// are handled elsewhere.
#[derive(Clone, Debug)]
pub(super) struct ObjectState {
    pub node: ObjectId,
    shape: &'static ObjectShape,
    /// The member that is streamed in pieces.
    text: Option<(Field, TextSlot)>,
    /// A piece was received.
    streamed: bool,
    /// The members that are present, each with the digest of the value that was set last. `None`
    /// for a value that is streamed or was changed in place.
    values: Vec<(Field, Option<Digest>)>,
    /// The undeclared members that were received, each with the digest of its value and the number
    /// of the last object that had it.
    extra: StringMap<(Digest, u64)>,
    /// The undeclared members that are present.
    present: Vec<Box<str>>,
    /// The member whose value was made up, because no object had one.
    made: Option<Field>,
    /// The number of times that the object was assigned.
    generation: u64,
}

impl ObjectState {
    pub fn new(node: ObjectId, kind: u8, text: Option<(Field, TextSlot)>) -> Self {
        let shape = MODEL.objects[kind as usize];
        ObjectState {
            node,
            shape,
            text,
            streamed: false,
            values: Vec::new(),
            extra: StringMap::default(),
            present: Vec::new(),
            made: None,
            generation: 0,
        }
    }

    /// Returns the cell of the member that is streamed in pieces.
    pub fn cell(&self) -> Option<TextSlot> {
        self.text.map(|(_, cell)| cell)
    }

    pub fn has(&self, key: Field) -> bool {
        self.values.iter().any(|(known, _)| *known == key)
    }

    /// Sets a list of objects to an empty one if it is absent.
    pub fn begin_list(&mut self, key: Field, cx: &mut Context<'_>) {
        if !self.has(key) {
            cx.set_json(self.node, key, "[]");
            self.note(key, None);
        }
    }

    /// Returns whether a member was last set to this value, and not refused because of a limit.
    pub fn is(&self, key: Field, value: Element<'_, '_>, keys: &DigestKey) -> bool {
        self.values.contains(&(key, Some(keys.digest(value.raw().as_str()))))
    }

    /// Returns the number of elements of a list in a member that was assigned from `json`. `before`
    /// is the number before that, which is still right if the value was refused because of a limit.
    /// `None` if the member does not have a list.
    pub fn counted(
        &self,
        key: Field,
        json: Element<'_, '_>,
        before: Option<usize>,
        keys: &DigestKey,
        count: impl FnOnce(Element<'_, '_>) -> Option<usize>,
    ) -> Option<usize> {
        let value = json.member(MODEL.key(key)?)?;
        if self.is(key, value, keys) { count(value) } else { before }
    }

    /// Sets a member that no object has to a made-up text. It stays until an object has the member.
    pub fn make(&mut self, key: Field, text: &str, cx: &mut Context<'_>) {
        if self.made.is_none() {
            cx.set_short(self.node, key, text);
            self.note(key, None);
            self.made = Some(key);
        }
    }

    /// Notes that a member has changed. `None` is the digest of a value that is not compared.
    pub fn note(&mut self, key: Field, digest: Option<Digest>) {
        match self.values.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = digest,
            None => self.values.push((key, digest)),
        }
    }

    /// Sets the members to those of a JSON object, and removes all others.
    pub fn assign(&mut self, json: Element<'_, '_>, keys: &DigestKey, cx: &mut Context<'_>) {
        let mut seen = 0_u64;
        let before = core::mem::take(&mut self.present);
        self.generation += 1;
        for (name, value) in json.object().into_iter().flatten() {
            let name = name.to_str();
            let Some(member) = self.shape.member(&name) else {
                self.set_extra(&name, value, keys, cx);
                continue;
            };
            let key = MODEL.find_key(&name).filter(|_| !is_list(&member.shape));
            let Some(key) = key.filter(|_| !matches!(member.shape, ValueShape::Tag)) else {
                continue;
            };
            self.set(key, member, value, keys, cx);
            let place = self.values.iter().position(|(known, _)| *known == key);
            seen |= place.map_or(0, |place| 1 << (place % 64));
        }
        let gone = (0..self.values.len()).filter(|place| seen & 1 << (place % 64) == 0);
        let is_own = |key: &Field| {
            let member = MODEL.key(*key).and_then(|name| self.shape.member(name));
            member.is_some_and(|member| !is_list(&member.shape))
        };
        let gone = gone.map(|place| self.values[place].0).filter(|key| self.made != Some(*key));
        let gone: Vec<Field> = gone.filter(is_own).collect();
        gone.into_iter().for_each(|key| self.unset(key, cx));
        for name in before {
            if self.extra.get(&name).is_some_and(|(_, generation)| *generation != self.generation) {
                cx.unset_extra(self.node, &name);
            }
        }
    }

    /// Sets a member, unless it has that value already.
    fn set(
        &mut self,
        key: Field,
        member: &MemberShape,
        value: Element<'_, '_>,
        keys: &DigestKey,
        cx: &mut Context<'_>,
    ) {
        let (shape, is_nullable) = member.shape.inner();
        if let Some((_, cell)) = self.text.filter(|(text, _)| *text == key) {
            if let Ok(text) = value.string() {
                return self.replace(key, cell, &text.to_str(), cx);
            }
            if matches!(member.name, "arguments" | "input") && value.object().is_ok() {
                let json = value.raw().as_str();
                cx.record(&rules::TOOL_ARGUMENTS, Observed::Text(json));
                return self.replace(key, cell, json, cx);
            }
        }
        if self.empties(key, value, cx) {
            return cx.record(&rules::DONE_DIFFERS, Observed::Named("nothing for", member.name));
        }
        let digest = keys.digest(value.raw().as_str());
        if self.values.contains(&(key, Some(digest))) {
            return;
        }
        let is_id = matches!(member.name, "id" | "call_id");
        if is_id && cx.refuses_id(value, Subject::NONE) {
            return;
        }
        let text = value.string().map(Str::to_str);
        let value = match (shape, &text) {
            (ValueShape::Json | ValueShape::Tree, _) if value.is_null() => {
                FieldValue::Json(value.raw())
            }
            (ValueShape::Json | ValueShape::Tree, _) => FieldValue::Free(value),
            (ValueShape::Words(_), Ok(text)) => word(text),
            (_, Ok(text)) => FieldValue::Str(text),
            _ if value.is_null() && is_nullable => FieldValue::Null,
            _ => {
                return cx
                    .record(&rules::MEMBER_TYPE, Observed::Named("another type of", member.name));
            }
        };
        if cx.set(self.node, key, value) {
            self.note(key, Some(digest));
        }
    }

    /// Returns whether a value would take away a text or a list that was streamed.
    fn empties(&self, key: Field, value: Element<'_, '_>, cx: &Context<'_>) -> bool {
        let is_streamed = self.values.contains(&(key, None));
        let cell = self.cell().filter(|_| self.text.is_some_and(|(text, _)| text == key));
        match cell {
            Some(cell) => value.is_null() && !cx.kept(cell).is_empty(),
            None => is_streamed && value.array().is_ok_and(|mut items| items.next().is_none()),
        }
    }

    fn set_extra(
        &mut self,
        name: &str,
        value: Element<'_, '_>,
        keys: &DigestKey,
        cx: &mut Context<'_>,
    ) {
        let digest = keys.digest(value.raw().as_str());
        let known = self.extra.get(name);
        let is_present = |generation: u64| generation + 1 >= self.generation;
        let is_same =
            known.is_some_and(|(known, generation)| *known == digest && is_present(*generation));
        if !is_same && !cx.set_extra(self.node, name, value.raw()) {
            return;
        }
        if known.is_none_or(|(_, generation)| *generation != self.generation) {
            self.present.push(name.into());
        }
        self.extra.insert(name, (digest, self.generation));
    }

    /// Removes a member, unless it was streamed. A required text becomes empty instead.
    pub fn unset(&mut self, key: Field, cx: &mut Context<'_>) {
        let Some(member) = MODEL.key(key).and_then(|name| self.shape.member(name)) else { return };
        let cell = self.cell().filter(|_| self.text.is_some_and(|(text, _)| text == key));
        let is_streamed = match (cell, member.shape.inner().0) {
            (Some(cell), _) => !cx.kept(cell).is_empty(),
            (None, ValueShape::Json | ValueShape::Tree) => self.values.contains(&(key, None)),
            _ => false,
        };
        if is_streamed {
            return cx.record(&rules::DONE_DIFFERS, Observed::Named("nothing for", member.name));
        }
        if let Some(cell) = cell {
            cx.replace_text(cell, "");
        }
        match member.shape {
            ValueShape::Absent(_) => cx.unset(self.node, key),
            ValueShape::Text => cx.set_short(self.node, key, ""),
            _ => return,
        }
        self.values.retain(|(known, _)| *known != key);
    }

    /// Appends a piece to the text.
    pub fn append(&mut self, piece: Str<'_>, cx: &mut Context<'_>) {
        let Some((key, cell)) = self.text else { return };
        if !self.values.contains(&(key, None)) {
            self.note(key, None);
            cx.replace_text(cell, "");
        }
        self.streamed = true;
        cx.append(cell, piece);
    }

    /// Sets the final text. (O9)
    pub fn done(&mut self, text: Str<'_>, cx: &mut Context<'_>) {
        if let Some((key, cell)) = self.text {
            self.replace(key, cell, &text.to_str(), cx);
        }
    }

    fn replace(&mut self, key: Field, cell: TextSlot, text: &str, cx: &mut Context<'_>) {
        let before = cx.kept(cell);
        let (is_same, length) = (before == text, before.len() as u64);
        if self.streamed && !is_same {
            cx.record(&rules::DONE_DIFFERS, Observed::Lengths(text.len() as u64, length));
        }
        // An empty value takes nothing away.
        if text.is_empty() && !is_same {
            return;
        }
        // A waiting half of a surrogate pair is not part of the text: replacing the text discards
        // it.
        if !is_same || cx.is_waiting(cell) || !self.values.contains(&(key, None)) {
            self.note(key, None);
            cx.replace_text(cell, text);
        }
    }
}

/// Returns whether a member is a list of objects.
fn is_list(shape: &ValueShape) -> bool {
    matches!(shape.inner().0, ValueShape::List(_))
}
