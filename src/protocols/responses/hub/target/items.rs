//! Items: their start, their progress and their end, and their ids.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::item::{PartPlace, WrittenItem};
use super::readable::readable_members;
use super::types::{ItemRow, PartKind};
use super::{ToResponses, UNREADABLE, WireOutput, add};
use crate::json::{Raw, Value};

impl ToResponses {
    /// Begins an item of that type, and returns its index in the output. If another item has its
    /// id, it gets a new id. `None` for a call without an id of its own: it is not written.
    pub(super) fn item(
        &mut self,
        r#type: &str,
        id: Option<&str>,
        members: Value,
        out: &mut WireOutput<'_>,
    ) -> Option<usize> {
        self.in_progress(out);
        let free = id.filter(|id| self.is_free(id));
        if let (Some(id), None) = (id, free) {
            out.lose("message-id", id, "another item had got it: this one got another");
        }
        let row = ItemRow::of(r#type);
        let mut members = readable_members(members, (r#type, row), out);
        if row.has_call_id {
            let call = members.text("call_id").unwrap_or_default();
            let key = [r#type, "\n", call].concat();
            if call.is_empty() || self.taken.get(&key).is_some() {
                out.lose("refused", id.unwrap_or(r#type), UNREADABLE);
                return None;
            }
            self.taken.insert(&key, ());
        }
        let id = free.map_or_else(|| self.new_id(row.prefix), ToOwned::to_owned);
        self.taken.insert(&item_key(&id), ());
        if r#type == "message" && members.get("role").is_none() {
            members.insert("role", "assistant".into());
        }
        let index = self.items.len();
        let item = WrittenItem {
            index,
            id,
            r#type: r#type.to_owned(),
            row,
            status: "in_progress",
            members,
            text: String::new(),
            is_text_ended: false,
            content: Vec::new(),
            summary: Vec::new(),
            call: None,
            done: None,
            is_dropped: false,
        };
        self.events.write("response.output_item.added", out, |object| {
            object.integer("output_index", Some(index as i64));
            item.write(object.member("item"));
        });
        self.items.push(item);
        Some(index)
    }

    /// Reports the progress of an open item. Returns false if its type has no event for that word.
    pub(super) fn progress(&mut self, at: usize, word: &str, out: &mut WireOutput<'_>) -> bool {
        let item = &mut self.items[at];
        let Some(word) = item.row.progress.iter().find(|known| **known == word) else {
            return false;
        };
        item.status = word;
        let name = ["response.", item.row.name].concat();
        self.events.write_of(item, [&name, word], out, |_| {});
        true
    }

    /// Ends an open item with its status, and with the members that are known only now: each
    /// replaces the member of the same name. Its open parts end, too, and so does the input of a
    /// call that ends as completed. A call that has failed does not complete.
    pub(super) fn end_item(
        &mut self,
        at: usize,
        status: &'static str,
        more: Value,
        out: &mut WireOutput<'_>,
    ) {
        let item = &mut self.items[at];
        let (mut own, mut status, mut carriers) = (Value::Null, status, Vec::new());
        if let Some(call) = &mut item.call {
            own = core::mem::take(&mut call.more);
            carriers = core::mem::take(&mut call.carriers);
            status = if call.has_failed && status == "completed" { "failed" } else { status };
        }
        add(&mut own, more);
        let members = readable_members(own, (&item.r#type, item.row), out);
        self.end_texts(at, out);
        if status == "completed" {
            self.end_arguments(at, out);
        }
        let item = &mut self.items[at];
        item.status = status;
        add(&mut item.members, members);
        let mut done = String::new();
        item.write(&mut done);
        // `done` contains these: they are not kept twice.
        (item.content, item.summary, item.members, item.text) = Default::default();
        self.events.write("response.output_item.done", out, |object| {
            object.integer("output_index", Some(at as i64));
            object.raw("item", Some(Raw(&done)));
        });
        item.done = Some(done);
        self.carriers(carriers, out);
    }

    /// Writes an item that is complete at once.
    pub(super) fn whole_item(
        &mut self,
        r#type: &str,
        id: Option<&str>,
        members: Value,
        out: &mut WireOutput<'_>,
    ) {
        if let Some(item) = self.item(r#type, id, members, out) {
            self.end_item(item, "completed", Value::Null, out);
        }
    }

    fn end_texts(&mut self, item: usize, out: &mut WireOutput<'_>) {
        for list in [PartKind::Summary, PartKind::Text] {
            for index in 0..self.items[item].parts(list).len() {
                let kind = self.items[item].parts(list)[index].kind;
                self.end_text(PartPlace { item, kind, index }, out);
            }
        }
    }

    /// Returns whether a new item can have that id.
    fn is_free(&self, id: &str) -> bool {
        !id.is_empty() && self.taken.get(&item_key(id)).is_none()
    }

    fn new_id(&mut self, prefix: &str) -> String {
        loop {
            let id = self.options.ids.next_id(prefix);
            if self.taken.get(&item_key(&id)).is_none() {
                return id;
            }
        }
    }

    /// Returns the id of a call or question as the id of its item, if no other item has it.
    pub(super) fn named<'i>(&self, id: &'i str, out: &mut WireOutput<'_>) -> Option<&'i str> {
        let free = Some(id).filter(|id| self.is_free(id));
        if free.is_none() {
            out.lose("call-id", id, "an item cannot have it: it got another");
        }
        free
    }
}

/// Returns the key of an item's id among those that are taken.
fn item_key(id: &str) -> String {
    ["\n", id].concat()
}
