//! The message of an answer that is not a stream: it is written at the end.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::written_events::Streamed;
use crate::core::Limits;
use crate::json::{ObjectWriter, Value, put_json, write_list};

/// The message so far.
#[derive(Debug, Default)]
pub(super) struct WholeMessage {
    id: String,
    model: String,
    /// The JSON of the blocks that have ended.
    blocks: Vec<String>,
    /// The block that has not ended.
    block: Value,
    /// Its text.
    text: String,
}

impl WholeMessage {
    pub fn start(&mut self, id: &str, model: &str) {
        (self.id, self.model) = (id.to_owned(), model.to_owned());
    }

    pub fn start_block(&mut self, block: &str) {
        self.block = Value::parse(block, Limits::default().json_depth).unwrap_or_default();
        self.text.clear();
    }

    pub fn piece(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    /// Sets a member of the block, or adds to its list.
    pub fn delta(&mut self, key: &str, value: &Value) {
        match key {
            "citation" => {
                let mut list =
                    self.block.get("citations").map(Value::items).unwrap_or_default().to_vec();
                list.push(value.clone());
                self.block.insert("citations", Value::Array(list));
            }
            _ => self.block.insert(key, value.clone()),
        }
    }

    pub fn stop_block(&mut self, streamed: Option<Streamed>) {
        let text = core::mem::take(&mut self.text);
        let mut block = core::mem::take(&mut self.block);
        match streamed {
            Some(Streamed::Input) => {
                let input = Value::parse(&text, Limits::default().json_depth);
                block.insert("input", input.unwrap_or_else(|_| Value::Object(Vec::new())));
            }
            Some(kind) => block.insert(kind.member(), text.into()),
            None => {}
        }
        self.blocks.push(block.to_json());
    }

    /// Writes the message, with the stop reason and the usage of the last event.
    pub fn write(&self, delta: &Value, usage: &Value, out: &mut String) {
        let mut message = ObjectWriter::open(out, false);
        message.string("id", Some(&self.id));
        message.string("type", Some("message"));
        message.string("role", Some("assistant"));
        message.string("model", Some(&self.model));
        write_list(&self.blocks, message.member("content"), |block, out| put_json(out, block));
        for member in delta.members() {
            message.value(&member.key, Some(&member.value));
        }
        message.value("usage", Some(usage));
        message.close();
    }
}
