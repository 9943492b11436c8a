//! Items: their start, their input, their progress and their end; and their parts with their
//! deltas.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::item::{Item, ItemRow, Part, Streamed};
use super::{PartKind, StreamBuilder, WireEvent, misuse, refuse};
use crate::core::declare::model::shape::Shape;
use crate::core::{PieceTemplate, UsageError};
use crate::json::{Member, Raw, Value};
use crate::protocols::responses::{ItemType, MODEL, rules};

impl StreamBuilder {
    /// Begins an item of a type, with this id or a new one, and with the members that are known.
    /// Returns its index in the output and the event. The status and the streamed members (content,
    /// summary, arguments, input, code) are not given here.
    pub fn item(
        &mut self,
        r#type: &str,
        id: Option<&str>,
        members: Value,
    ) -> Result<(u32, WireEvent), UsageError> {
        const CALL: &str = "item()";
        self.is_in_progress(CALL)?;
        let row = ItemRow::of(r#type);
        self.check_members(CALL, r#type, &members)?;
        let call_id = members.get("call_id").and_then(Value::as_str).unwrap_or_default();
        let call = row.has_call_id.then(|| [r#type, "\n", call_id].concat());
        if call.is_some() && call_id.is_empty() {
            return Err(refuse(&rules::ITEM_ID, CALL, "give the call an id as `call_id` (O5)"));
        }
        if let Some(call) = &call
            && self.taken.get(call).is_some()
        {
            return Err(refuse(
                &rules::ITEM_REPEATED,
                CALL,
                "give every call an id of its own (O5)",
            ));
        }
        let id = match id {
            Some(id) if !self.is_free(id) => {
                return Err(refuse(
                    &rules::ITEM_REPEATED,
                    CALL,
                    "give every item an id of its own, or none (O5)",
                ));
            }
            Some(id) => id.to_owned(),
            None => self.new_id(row.prefix),
        };
        self.taken.insert(&["\n", &id].concat(), ());
        call.iter().for_each(|call| self.taken.insert(call, ()));
        let mut item = Item {
            id,
            r#type: r#type.to_owned(),
            row,
            status: "in_progress",
            members,
            text: String::new(),
            is_text_ended: false,
            content: Vec::new(),
            summary: Vec::new(),
            done: None,
            is_dropped: false,
        };
        if r#type == "message" && item.members.get("role").is_none() {
            item.members.insert("role", "assistant".into());
        }
        let at = self.items.len() as u32;
        let event = self.event("response.output_item.added", |object| {
            object.integer("output_index", Some(at.into()));
            item.write(object.member("item"));
        });
        self.items.push(item);
        self.open += 1;
        Ok((at, event))
    }

    /// Appends a piece to the input of a call: `arguments`, `input` or `code`.
    pub fn arguments(&mut self, item: u32, piece: &str) -> Result<WireEvent, UsageError> {
        let (open, streamed) = self.open_input("arguments()", item, HAS_INPUT)?;
        open.text.push_str(piece);
        Ok(self.piece(item, None, streamed.events, piece))
    }

    /// Replaces the input of a call. Clients receive the new input when it ends. (O9.)
    pub fn replace_arguments(&mut self, item: u32, all: &str) -> Result<(), UsageError> {
        self.open_input("replace_arguments()", item, HAS_INPUT)?.0.text = all.to_owned();
        Ok(())
    }

    /// Ends the input of a call.
    pub fn end_arguments(&mut self, item: u32) -> Result<WireEvent, UsageError> {
        let (open, streamed) =
            self.open_input("end_arguments()", item, "leave it out: they have ended")?;
        open.is_text_ended = true;
        let (text, name) = (open.text.clone(), open.members.get("name").cloned());
        let is_function = open.row.name == "function_call";
        Ok(self.of_item(item, streamed.events, "done", |object| {
            // Typed clients require the name.
            if is_function {
                object.value("name", name.as_ref());
            }
            object.string(streamed.member, Some(&text));
        }))
    }

    /// Reports the progress of an item with a word of its type: `searching`, `interpreting`,
    /// `generating`.
    pub fn progress(&mut self, item: u32, word: &str) -> Result<WireEvent, UsageError> {
        const CALL: &str = "progress()";
        let open = self.open_item(CALL, item)?;
        let Some(word) = open.row.progress.iter().find(|known| **known == word) else {
            return Err(misuse(
                "no-such-progress",
                CALL,
                "items of that type have no event for it",
            ));
        };
        open.status = word;
        let name = ["response.", open.row.name].concat();
        Ok(self.of_item(item, &name, word, |_| {}))
    }

    /// Writes an intermediate version of an image, in base64. Each version replaces the previous
    /// one.
    pub fn partial_image(
        &mut self,
        item: u32,
        number: u32,
        base64: &str,
    ) -> Result<WireEvent, UsageError> {
        const CALL: &str = "partial_image()";
        if self.open_item(CALL, item)?.row.name != "image_generation_call" {
            return Err(misuse("no-such-progress", CALL, "give it to an `image_generation_call`"));
        }
        Ok(self.of_item(item, "response.image_generation_call", "partial_image", |object| {
            object.integer("partial_image_index", Some(number.into()));
            object.string("partial_image_b64", Some(base64));
        }))
    }

    /// Ends an item with its status, if its type has one (`completed`, `incomplete`, `failed`), and
    /// with the members that are known only now. Each replaces the member of the same name. The
    /// open parts of the item end, too, and so does the input of a call that ends as completed.
    pub fn end_item(
        &mut self,
        item: u32,
        status: &str,
        members: Value,
    ) -> Result<Vec<WireEvent>, UsageError> {
        const CALL: &str = "end_item()";
        let status = match STATUSES.iter().find(|known| **known == status) {
            Some(status) => *status,
            None => {
                return Err(misuse("no-such-status", CALL, "give one of the statuses of items"));
            }
        };
        let Item { row, r#type, .. } = self.open_item(CALL, item)?;
        let (row, r#type) = (*row, r#type.clone());
        self.check_members(CALL, &r#type, &members)?;
        if members.get("call_id").is_some() && row.has_call_id {
            return Err(refuse(&rules::ITEM_CHANGED, CALL, "an item keeps its `call_id`"));
        }
        let mut events = self.end_parts(item);
        if status == "completed" && row.streamed.is_some() {
            // This returns an error if they have ended.
            events.extend(self.end_arguments(item));
        }
        let open = &mut self.items[item as usize];
        open.status = status;
        if let Value::Object(members) = members {
            members.into_iter().for_each(|Member { key, value }| open.members.insert(&key, value));
        }
        let mut done = String::new();
        open.write(&mut done);
        // `done` contains these: they are not kept twice.
        (open.content, open.summary, open.members, open.text) = Default::default();
        self.open -= 1;
        events.push(self.event("response.output_item.done", |object| {
            object.integer("output_index", Some(item.into()));
            object.raw("item", Some(Raw(&done)));
        }));
        self.items[item as usize].done = Some(done);
        Ok(events)
    }

    /// Retracts an item: the response does not contain it at its end. Clients may show it until
    /// then.
    pub fn retract(&mut self, item: u32) -> Result<(), UsageError> {
        self.is_in_progress("retract()")?;
        match self.items.get_mut(item as usize) {
            Some(item) => item.is_dropped = true,
            None => {
                return Err(refuse(&rules::ITEM_MISSING, "retract()", "give the place of an item"));
            }
        }
        Ok(())
    }
}

const HAS_INPUT: &str = "give it to a call whose arguments have not ended";

/// The statuses that an item can end with.
const STATUSES: &[&str] = &["completed", "incomplete", "failed", "in_progress"];

impl StreamBuilder {
    pub(super) fn open_item(&mut self, call: &str, item: u32) -> Result<&mut Item, UsageError> {
        self.is_in_progress(call)?;
        match self.items.get_mut(item as usize) {
            None => Err(refuse(&rules::ITEM_MISSING, call, "call `item()` first (O8)")),
            Some(item) if item.done.is_some() => Err(refuse(
                &rules::ITEM_CHANGED,
                call,
                "the item is whole: begin another one (O10)",
            )),
            Some(item) => Ok(item),
        }
    }

    /// Returns an open item whose input has not ended, and the events of its input.
    fn open_input(
        &mut self,
        call: &str,
        item: u32,
        instead: &'static str,
    ) -> Result<(&mut Item, &'static Streamed), UsageError> {
        let open = self.open_item(call, item)?;
        match open.row.streamed.filter(|_| !open.is_text_ended) {
            Some(streamed) => Ok((open, streamed)),
            None => Err(misuse("arguments-ended", call, instead)),
        }
    }

    /// Returns an error if the members include one that the builder writes itself, or one that
    /// readers cannot read.
    fn check_members(
        &self,
        call: &'static str,
        r#type: &str,
        members: &Value,
    ) -> Result<(), UsageError> {
        let row = ItemRow::of(r#type);
        let streamed = row.streamed.map(|streamed| streamed.member);
        let content: &[&str] = match row.name {
            "message" => &["content"],
            "reasoning" => &["content", "summary"],
            _ => &[],
        };
        let status = row.has_status.then_some("status");
        let own =
            ["id", "type"].into_iter().chain(streamed).chain(status).chain(content.iter().copied());
        if !matches!(members, Value::Null | Value::Object(_))
            || own.into_iter().any(|key| members.get(key).is_some())
        {
            return Err(misuse(
                "member-taken",
                call,
                "pass an object of members that are neither streamed nor written by other calls",
            ));
        }
        let shape = MODEL.objects[usize::from(ItemType::from(r#type).kind().0)];
        let is_readable = |Member { key, value }: &Member| {
            shape.member(key).is_none_or(|member| {
                let (shape, is_nullable) = member.shape.inner();
                match value {
                    Value::String(_) => true,
                    Value::Null if is_nullable => true,
                    _ => !matches!(shape, Shape::Text | Shape::Words(_)),
                }
            })
        };
        if let Value::Object(given) = members
            && !given.iter().all(is_readable)
        {
            return Err(refuse(
                &rules::MEMBER_TYPE,
                call,
                "give every member a value of its type (O19)",
            ));
        }
        self.check_free(call, members)
    }

    /// Returns whether an item of that type can have these members.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::responses) fn accepts(&self, r#type: &str, members: &Value) -> bool {
        self.check_members("item()", r#type, members).is_ok()
    }

    /// Returns the type of an item.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::responses) fn type_of(&self, item: u32) -> &str {
        self.items.get(item as usize).map_or("", |item| &item.r#type)
    }

    /// Returns whether a new item can have that id.
    pub(in crate::protocols::responses) fn is_free(&self, id: &str) -> bool {
        !id.is_empty() && self.taken.get(&["\n", id].concat()).is_none()
    }

    fn new_id(&mut self, prefix: &str) -> String {
        loop {
            let id = self.ids.next_id(prefix);
            if self.taken.get(&["\n", &id].concat()).is_none() {
                return id;
            }
        }
    }
}

impl StreamBuilder {
    /// Adds a part to an item: texts and refusals to a message, thoughts and summaries to
    /// reasoning. Returns the index of the part and the event. (O7.)
    pub fn part(&mut self, item: u32, kind: PartKind) -> Result<(u32, WireEvent), UsageError> {
        const CALL: &str = "part()";
        let row = kind.row();
        let open = self.open_item(CALL, item)?;
        if open.row.name != row.item {
            return Err(refuse(
                &rules::ITEM_MISMATCH,
                CALL,
                "give it to an item that has such parts (O6)",
            ));
        }
        let parts = open.parts_mut(kind);
        let at = parts.len() as u32;
        parts.push(Part::new(kind));
        Ok((at, self.around(item, kind, at, "added")))
    }

    /// Appends a piece to a part.
    pub fn delta(
        &mut self,
        item: u32,
        kind: PartKind,
        at: u32,
        piece: &str,
    ) -> Result<WireEvent, UsageError> {
        self.open_part("delta()", item, kind, at)?.text.push_str(piece);
        Ok(self.piece(item, Some((kind, at)), kind.row().streamed.events, piece))
    }

    /// Adds an annotation to a text. (An object in OpenAI's format: `{"type":"url_citation",…}`.)
    pub fn annotation(
        &mut self,
        item: u32,
        at: u32,
        annotation: &Value,
    ) -> Result<WireEvent, UsageError> {
        const CALL: &str = "annotation()";
        if annotation.is_null() {
            return Err(refuse(&rules::MALFORMED_EVENT, CALL, "give an object (O18)"));
        }
        self.check_free(CALL, annotation)?;
        let annotations = &mut self.open_part(CALL, item, PartKind::Text, at)?.annotations;
        let number = annotations.len() as i64;
        annotations.push(annotation.clone());
        Ok(self.of_item(item, PartKind::Text.row().streamed.events, "annotation.added", |object| {
            object.integer("content_index", Some(at.into()));
            object.integer("annotation_index", Some(number));
            object.value("annotation", Some(annotation));
        }))
    }

    /// Replaces the text of a part. Clients receive the new text when the part ends, or its item.
    /// (O9.)
    pub fn replace(
        &mut self,
        item: u32,
        kind: PartKind,
        at: u32,
        all: &str,
    ) -> Result<(), UsageError> {
        self.part_of("replace()", item, kind, at)?.text = all.to_owned();
        Ok(())
    }

    /// Ends a part.
    pub fn end_part(
        &mut self,
        item: u32,
        kind: PartKind,
        at: u32,
    ) -> Result<Vec<WireEvent>, UsageError> {
        let part = self.open_part("end_part()", item, kind, at)?;
        part.is_open = false;
        let text = part.text.clone();
        let row = kind.row();
        let done = self.of_item(item, row.streamed.events, "done", |object| {
            object.integer(row.index, Some(at.into()));
            object.string(row.streamed.member, Some(&text));
            if kind == PartKind::Text {
                object.raw("logprobs", Some(Raw("[]")));
            }
        });
        Ok([done, self.around(item, kind, at, "done")].into())
    }

    /// Retracts a part: the item does not contain it at its end. Clients may show it until then.
    pub fn retract_part(&mut self, item: u32, kind: PartKind, at: u32) -> Result<(), UsageError> {
        self.part_of("retract_part()", item, kind, at)?.is_dropped = true;
        Ok(())
    }

    /// Ends the open parts of an item.
    pub(super) fn end_parts(&mut self, item: u32) -> Vec<WireEvent> {
        let mut open = Vec::new();
        for kind in [PartKind::Summary, PartKind::Text] {
            let parts = self.items[item as usize].parts(kind).iter().enumerate();
            open.extend(
                parts.filter(|(_, part)| part.is_open).map(|(at, part)| (part.kind, at as u32)),
            );
        }
        open.into_iter()
            .flat_map(|(kind, at)| self.end_part(item, kind, at).unwrap_or_default())
            .collect()
    }

    fn open_part(
        &mut self,
        call: &str,
        item: u32,
        kind: PartKind,
        at: u32,
    ) -> Result<&mut Part, UsageError> {
        let part = self.part_of(call, item, kind, at)?;
        match part.is_open {
            true => Ok(part),
            false => {
                Err(refuse(&rules::PART_MISSING, call, "the part has ended: begin another one"))
            }
        }
    }

    /// Returns a part of an item that has not ended.
    fn part_of(
        &mut self,
        call: &str,
        item: u32,
        kind: PartKind,
        at: u32,
    ) -> Result<&mut Part, UsageError> {
        let found = self.open_item(call, item)?.parts_mut(kind).get_mut(at as usize);
        found.filter(|part| part.kind == kind).ok_or_else(|| {
            refuse(&rules::PART_MISSING, call, "call `part()` first, and give its place")
        })
    }

    /// Writes the event that begins or ends a part.
    fn around(&mut self, item: u32, kind: PartKind, at: u32, word: &str) -> WireEvent {
        let row = kind.row();
        let mut part = String::new();
        self.items[item as usize].parts(kind)[at as usize].write(&mut part);
        self.of_item(item, row.events, word, |object| {
            object.integer(row.index, Some(at.into()));
            object.raw("part", Some(Raw(&part)));
        })
    }
}

impl StreamBuilder {
    /// Returns whether the last event was a delta of a text.
    #[cfg(feature = "hub")]
    pub(crate) fn is_after_piece(&self) -> bool {
        self.is_piece
    }

    /// Appends the events of further pieces of the text that the last event belongs to. `ends` are
    /// the ends of the pieces in `text`.
    #[cfg(feature = "hub")]
    pub(crate) fn append_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        let Some(((item, part), template)) = &self.template else { return };
        let item = &mut self.items[*item as usize];
        match *part {
            Some((kind, at)) => item.parts_mut(kind)[at as usize].text.push_str(text),
            None => item.text.push_str(text),
        }
        template.append(Some(self.next), (text, ends), out);
        self.next += ends.len() as i64;
    }

    /// Writes the delta event of a text: that of a part, or of the item itself.
    pub(super) fn piece(
        &mut self,
        item: u32,
        part: Option<(PartKind, u32)>,
        events: &str,
        piece: &str,
    ) -> WireEvent {
        if !matches!(&self.template, Some((of, _)) if *of == (item, part)) {
            let number = core::mem::replace(&mut self.next, 0);
            let event = self.of_item(item, events, "delta", |object| {
                if let Some((kind, at)) = part {
                    object.integer(kind.row().index, Some(at.into()));
                }
                if let Some((PartKind::Text, _)) = part {
                    object.raw("logprobs", Some(Raw("[]")));
                }
                object.string("delta", Some(""));
            });
            self.next = number;
            self.template =
                Some(((item, part), PieceTemplate::new(&event, Some("sequence_number"))));
        }
        let number = self.next;
        self.next += 1;
        self.is_piece = true;
        match &self.template {
            Some((_, template)) => template.event(Some(number), piece),
            None => self.event(events, |_| {}),
        }
    }
}
