//! Items: their start, their input, their progress and their end.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::item::Item;
use super::item::ItemRow;
use super::{StreamBuilder, WireEvent};
use crate::core::UsageError;
use crate::core::declare::model::shape::Shape;
use crate::json::{Member, Raw, Value};
use crate::protocols::responses::{ItemType, MODEL, rules};

impl StreamBuilder {
    /// Begins an item of a type, with this id or a new one, and with the members that are known. Returns its index in
    /// the output and the event. The status and the streamed members (content, summary, arguments, input, code) are not
    /// given here.
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
            return Err(self.refuse(&rules::ITEM_ID, CALL, "give the call an id as `call_id` (O5)"));
        }
        if let Some(call) = &call
            && self.taken.get(call).is_some()
        {
            return Err(self.refuse(&rules::ITEM_REPEATED, CALL, "give every call an id of its own (O5)"));
        }
        let key = |id: &str| ["\n", id].concat();
        let id = match id {
            Some(id) if id.is_empty() || self.taken.get(&key(id)).is_some() => {
                return Err(self.refuse(
                    &rules::ITEM_REPEATED,
                    CALL,
                    "give every item an id of its own, or none (O5)",
                ));
            }
            Some(id) => id.to_owned(),
            None => self.new_id(row.prefix),
        };
        self.taken.insert(&key(&id), ());
        call.iter().for_each(|call| self.taken.insert(call, ()));
        let mut item = Item {
            id,
            r#type: r#type.to_owned(),
            row,
            status: "in_progress",
            members,
            text: String::new(),
            is_said: false,
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
        const CALL: &str = "arguments()";
        let open = self.open_item(CALL, item)?;
        let Some(streamed) = open.row.streamed.filter(|_| !open.is_said) else {
            return Err(self.misuse(
                "arguments-ended",
                CALL,
                "give it to a call whose arguments have not ended",
            ));
        };
        open.text.push_str(piece);
        Ok(self.piece(item, None, streamed.events, piece))
    }

    /// Replaces the input of a call. Clients receive the new input when it ends. (O9.)
    pub fn replace_arguments(&mut self, item: u32, all: &str) -> Result<(), UsageError> {
        const CALL: &str = "replace_arguments()";
        let open = self.open_item(CALL, item)?;
        if open.row.streamed.is_none() || open.is_said {
            return Err(self.misuse(
                "arguments-ended",
                CALL,
                "give it to a call whose arguments have not ended",
            ));
        }
        open.text = all.to_owned();
        Ok(())
    }

    /// Ends the input of a call.
    pub fn end_arguments(&mut self, item: u32) -> Result<WireEvent, UsageError> {
        const CALL: &str = "end_arguments()";
        let open = self.open_item(CALL, item)?;
        let Some(streamed) = open.row.streamed.filter(|_| !open.is_said) else {
            return Err(self.misuse("arguments-ended", CALL, "leave it out: they have ended"));
        };
        open.is_said = true;
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

    /// Reports the progress of an item with a word of its type: `searching`, `interpreting`, `generating`.
    pub fn progress(&mut self, item: u32, word: &str) -> Result<WireEvent, UsageError> {
        const CALL: &str = "progress()";
        let open = self.open_item(CALL, item)?;
        let Some(word) = open.row.progress.iter().find(|known| **known == word) else {
            return Err(self.misuse("no-such-progress", CALL, "items of that type have no event for it"));
        };
        open.status = word;
        let name = ["response.", open.row.name].concat();
        Ok(self.of_item(item, &name, word, |_| {}))
    }

    /// Writes an intermediate version of an image, in base64. Each version replaces the previous one.
    pub fn partial_image(&mut self, item: u32, number: u32, base64: &str) -> Result<WireEvent, UsageError> {
        const CALL: &str = "partial_image()";
        if self.open_item(CALL, item)?.row.name != "image_generation_call" {
            return Err(self.misuse("no-such-progress", CALL, "give it to an `image_generation_call`"));
        }
        Ok(self.of_item(item, "response.image_generation_call", "partial_image", |object| {
            object.integer("partial_image_index", Some(number.into()));
            object.string("partial_image_b64", Some(base64));
        }))
    }

    /// Ends an item with its status, if its type has one (`completed`, `incomplete`, `failed`), and with the members
    /// that are known only now. Each replaces the member of the same name. The open parts of the item end, too, and so
    /// does the input of a call that ends as completed.
    pub fn end_item(
        &mut self,
        item: u32,
        status: &str,
        members: Value,
    ) -> Result<Vec<WireEvent>, UsageError> {
        const CALL: &str = "end_item()";
        let status = match STATUSES.iter().find(|known| **known == status) {
            Some(status) => *status,
            None => return Err(self.misuse("no-such-status", CALL, "give one of the statuses of items")),
        };
        let Item { row, r#type, .. } = self.open_item(CALL, item)?;
        let (row, r#type) = (*row, r#type.clone());
        self.check_members(CALL, &r#type, &members)?;
        if members.get("call_id").is_some() && row.has_call_id {
            return Err(self.refuse(&rules::ITEM_CHANGED, CALL, "an item keeps its `call_id`"));
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

    /// Retracts an item: the response does not contain it at its end. Clients may show it until then.
    pub fn retract(&mut self, item: u32) -> Result<(), UsageError> {
        self.is_in_progress("retract()")?;
        match self.items.get_mut(item as usize) {
            Some(item) => item.is_dropped = true,
            None => return Err(self.refuse(&rules::ITEM_MISSING, "retract()", "give the place of an item")),
        }
        Ok(())
    }
}

/// The statuses that an item can end with.
const STATUSES: &[&str] = &["completed", "incomplete", "failed", "in_progress"];

impl StreamBuilder {
    pub(super) fn open_item(&mut self, call: &str, item: u32) -> Result<&mut Item, UsageError> {
        self.is_in_progress(call)?;
        match self.items.get(item as usize) {
            None => return Err(self.refuse(&rules::ITEM_MISSING, call, "call `item()` first (O8)")),
            Some(item) if item.done.is_some() => {
                return Err(self.refuse(
                    &rules::ITEM_CHANGED,
                    call,
                    "the item is whole: begin another one (O10)",
                ));
            }
            Some(_) => {}
        }
        Ok(&mut self.items[item as usize])
    }

    /// Returns an error if the members include one that the builder writes itself, or one that readers cannot read.
    fn check_members(&self, call: &'static str, r#type: &str, members: &Value) -> Result<(), UsageError> {
        let row = ItemRow::of(r#type);
        let streamed = row.streamed.map(|streamed| streamed.member);
        let content: &[&str] = match row.name {
            "message" => &["content"],
            "reasoning" => &["content", "summary"],
            _ => &[],
        };
        let status = row.has_status.then_some("status");
        let own = ["id", "type"].into_iter().chain(streamed).chain(status).chain(content.iter().copied());
        if !matches!(members, Value::Null | Value::Object(_))
            || own.into_iter().any(|key| members.get(key).is_some())
        {
            return Err(self.misuse(
                "member-taken",
                call,
                "give an object of members that are neither streamed nor said elsewhere",
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
            return Err(self.refuse(
                &rules::MEMBER_TYPE,
                call,
                "give every member a value of its type (O19)",
            ));
        }
        self.check_free(call, members)
    }

    /// Returns whether an item of that type can have these members.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::responses) fn takes(&self, r#type: &str, members: &Value) -> bool {
        self.check_members("item()", r#type, members).is_ok()
    }

    /// Returns the type of an item.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::responses) fn type_of(&self, item: u32) -> &str {
        self.items.get(item as usize).map_or("", |item| &item.r#type)
    }

    /// Returns whether a new item can have that id.
    #[cfg(feature = "hub")]
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
