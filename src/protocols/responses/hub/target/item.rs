//! The state of an item and of its parts, and their JSON.

use alloc::{string::String, vec::Vec};

use super::calls::WrittenCall;
use super::types::{ItemRow, PartKind};
use crate::json::{ObjectWriter, Raw, Value, write_list};

/// An item of the response.
#[derive(Debug)]
pub(super) struct WrittenItem {
    /// Its index in the output.
    pub index: usize,
    pub id: String,
    pub r#type: String,
    pub row: &'static ItemRow,
    pub status: &'static str,
    /// The members that its state does not write: an object.
    pub members: Value,
    /// The text of the streamed member, or the arguments of a call that does not stream them.
    pub text: String,
    /// The streamed member has ended.
    pub is_text_ended: bool,
    pub content: Vec<WrittenPart>,
    pub summary: Vec<WrittenPart>,
    /// The call that it is.
    pub call: Option<WrittenCall>,
    /// The JSON of the item at its end.
    pub done: Option<String>,
    /// It was retracted from the response.
    pub is_dropped: bool,
}

/// The place of a part: its item, and its index in the list for its kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartPlace {
    pub item: usize,
    pub kind: PartKind,
    pub index: usize,
}

/// A part of an item.
#[derive(Debug)]
pub(super) struct WrittenPart {
    pub kind: PartKind,
    pub text: String,
    pub annotations: Vec<Value>,
    /// The citations that are written at the end of the text, without this end.
    pub citations: Vec<Value>,
    pub is_open: bool,
    /// It was retracted from the item.
    pub is_dropped: bool,
}

impl WrittenItem {
    pub fn parts(&self, kind: PartKind) -> &Vec<WrittenPart> {
        if kind == PartKind::Summary { &self.summary } else { &self.content }
    }

    pub fn parts_mut(&mut self, kind: PartKind) -> &mut Vec<WrittenPart> {
        if kind == PartKind::Summary { &mut self.summary } else { &mut self.content }
    }

    /// Returns the call that it is, unless the item has ended.
    pub fn open_call(&mut self) -> Option<&mut WrittenCall> {
        self.call.as_mut().filter(|_| self.done.is_none())
    }

    /// Writes the current state of the item.
    pub fn write(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out, false);
        object.string("id", Some(&self.id));
        object.string("type", Some(&self.r#type));
        if self.row.has_status {
            object.string("status", Some(self.status));
        }
        for member in self.members.members() {
            object.value(&member.key, Some(&member.value));
        }
        if let Some(streamed) = self.row.streamed {
            object.string(streamed.member, Some(&self.text));
        }
        let list = |parts: &[WrittenPart], out: &mut String| {
            let kept = parts.iter().filter(|part| !part.is_dropped);
            write_list(kept, out, |part, out| part.write(out));
        };
        match self.row.name {
            "message" => list(&self.content, object.member("content")),
            "reasoning" => {
                list(&self.summary, object.member("summary"));
                if !self.content.is_empty() {
                    list(&self.content, object.member("content"));
                }
            }
            _ => {}
        }
        object.close();
    }

    /// Writes the item as it ended, or its current state if it is open.
    pub fn write_done(&self, out: &mut String) {
        match &self.done {
            Some(done) => out.push_str(done),
            None => self.write(out),
        }
    }
}

impl WrittenPart {
    pub fn new(kind: PartKind) -> Self {
        WrittenPart {
            kind,
            text: String::new(),
            annotations: Vec::new(),
            citations: Vec::new(),
            is_open: true,
            is_dropped: false,
        }
    }

    pub fn write(&self, out: &mut String) {
        let row = self.kind.row();
        let mut object = ObjectWriter::open(out, false);
        object.string("type", Some(row.name));
        if self.kind == PartKind::Text {
            write_list(&self.annotations, object.member("annotations"), Value::write);
            object.raw("logprobs", Some(Raw("[]")));
        }
        object.string(row.streamed.member, Some(&self.text));
        object.close();
    }
}
