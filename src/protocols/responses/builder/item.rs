//! Items: the types and their members, and their JSON.

use alloc::{string::String, vec::Vec};

use crate::json::{Object, Raw, Value, write_list};

/// An item of the response.
#[derive(Debug)]
pub(super) struct Item {
    pub id: String,
    pub r#type: String,
    pub row: &'static ItemRow,
    pub status: &'static str,
    /// The members that are not streamed: an object.
    pub members: Value,
    /// The text of the streamed member.
    pub text: String,
    /// The streamed member has ended.
    pub is_text_ended: bool,
    pub content: Vec<Part>,
    pub summary: Vec<Part>,
    /// The JSON of the item at its end.
    pub done: Option<String>,
    /// It was retracted from the response.
    pub is_dropped: bool,
}

/// A part of an item.
#[derive(Debug)]
pub(super) struct Part {
    pub kind: PartKind,
    pub text: String,
    pub annotations: Vec<Value>,
    pub is_open: bool,
    /// It was retracted from the item.
    pub is_dropped: bool,
}

impl Item {
    pub fn parts(&self, kind: PartKind) -> &Vec<Part> {
        if kind == PartKind::Summary { &self.summary } else { &self.content }
    }

    pub fn parts_mut(&mut self, kind: PartKind) -> &mut Vec<Part> {
        if kind == PartKind::Summary { &mut self.summary } else { &mut self.content }
    }

    /// Writes the current state of the item.
    pub fn write(&self, out: &mut String) {
        let mut object = Object::open(out, false);
        object.string("id", Some(&self.id));
        object.string("type", Some(&self.r#type));
        if self.row.has_status {
            object.string("status", Some(self.status));
        }
        if let Value::Object(members) = &self.members {
            for member in members {
                object.value(&member.key, Some(&member.value));
            }
        }
        if let Some(streamed) = self.row.streamed {
            object.string(streamed.member, Some(&self.text));
        }
        let list = |parts: &[Part], out: &mut String| {
            let there: Vec<_> = parts.iter().filter(|part| !part.is_dropped).collect();
            write_list(&there, out, |part, out| part.write(out));
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

impl Part {
    pub fn new(kind: PartKind) -> Self {
        Part {
            kind,
            text: String::new(),
            annotations: Vec::new(),
            is_open: true,
            is_dropped: false,
        }
    }

    pub fn write(&self, out: &mut String) {
        let row = self.kind.row();
        let mut object = Object::open(out, false);
        object.string("type", Some(row.name));
        if self.kind == PartKind::Text {
            write_list(&self.annotations, object.member("annotations"), Value::write);
            object.raw("logprobs", Some(Raw("[]")));
        }
        object.string(row.streamed.member, Some(&self.text));
        object.close();
    }
}

/// An item's type.
#[derive(Debug)]
pub(super) struct ItemRow {
    pub name: &'static str,
    /// The prefix of the ids of such items.
    pub prefix: &'static str,
    /// Its streamed text.
    pub streamed: Option<&'static Streamed>,
    /// Whether it has a `status`.
    pub has_status: bool,
    /// Whether it has a `call_id` that must differ from those of other items of its type.
    pub has_call_id: bool,
    /// The last words of the names of its progress events.
    pub progress: &'static [&'static str],
}

/// A streamed text: its member, and the names of its events up to `.delta` and `.done`.
#[derive(Debug)]
pub(super) struct Streamed {
    pub member: &'static str,
    pub events: &'static str,
}

/// A part's type.
#[derive(Debug)]
pub(super) struct PartRow {
    pub name: &'static str,
    pub streamed: Streamed,
    /// The member of events that contains its index.
    pub index: &'static str,
    /// The names of the events that begin and end it, up to `.added` and `.done`.
    pub events: &'static str,
    /// The type of the items that it can be in.
    pub item: &'static str,
}

const fn item(name: &'static str, prefix: &'static str) -> ItemRow {
    ItemRow { name, prefix, streamed: None, has_status: true, has_call_id: false, progress: &[] }
}

/// The known types. An item of any other type is written with the members that are given. (O19.)
const ITEMS: &[ItemRow] = &[
    item("message", "msg_"),
    item("reasoning", "rs_"),
    ItemRow {
        streamed: Some(&Streamed {
            member: "arguments",
            events: "response.function_call_arguments",
        }),
        has_call_id: true,
        ..item("function_call", "fc_")
    },
    item("function_call_output", "fco_"),
    ItemRow {
        streamed: Some(&Streamed { member: "input", events: "response.custom_tool_call_input" }),
        has_call_id: true,
        ..item("custom_tool_call", "ctc_")
    },
    item("custom_tool_call_output", "ctco_"),
    ItemRow {
        streamed: Some(&Streamed { member: "arguments", events: "response.mcp_call_arguments" }),
        progress: &["in_progress", "completed", "failed"],
        ..item("mcp_call", "mcp_")
    },
    ItemRow {
        has_status: false,
        progress: &["in_progress", "completed", "failed"],
        ..item("mcp_list_tools", "mcpl_")
    },
    ItemRow { has_status: false, ..item("mcp_approval_request", "mcpr_") },
    ItemRow { has_status: false, ..item("mcp_approval_response", "mcpa_") },
    ItemRow { progress: SEARCH, ..item("web_search_call", "ws_") },
    ItemRow { progress: SEARCH, ..item("file_search_call", "fs_") },
    ItemRow {
        streamed: Some(&Streamed { member: "code", events: "response.code_interpreter_call_code" }),
        progress: &["in_progress", "interpreting", "completed"],
        ..item("code_interpreter_call", "ci_")
    },
    ItemRow {
        progress: &["in_progress", "generating", "completed"],
        ..item("image_generation_call", "ig_")
    },
    ItemRow { has_call_id: true, ..item("shell_call", "sh_") },
    ItemRow { has_call_id: true, ..item("shell_call_output", "sho_") },
    ItemRow { has_call_id: true, ..item("local_shell_call", "lsh_") },
    item("local_shell_call_output", "lsho_"),
    ItemRow { has_call_id: true, ..item("apply_patch_call", "apc_") },
    item("apply_patch_call_output", "apco_"),
    ItemRow { has_call_id: true, ..item("computer_call", "cu_") },
    item("computer_call_output", "cuo_"),
    item("tool_search_call", "tsc_"),
    item("tool_search_output", "tso_"),
    // The last row is for any other type.
    ItemRow { has_status: false, ..item("", "item_") },
];

const SEARCH: &[&str] = &["in_progress", "searching", "completed"];

impl ItemRow {
    pub fn of(name: &str) -> &'static ItemRow {
        ITEMS.iter().find(|row| row.name == name).unwrap_or(&ITEMS[ITEMS.len() - 1])
    }
}

/// A kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// The text of a message.
    Text,
    /// The agent's refusal to answer, in a message.
    Refusal,
    /// The text of reasoning.
    Reasoning,
    /// The summary of reasoning.
    Summary,
}

const fn part(
    name: &'static str,
    member: &'static str,
    events: &'static str,
    item: &'static str,
) -> PartRow {
    let streamed = Streamed { member, events };
    PartRow { name, streamed, index: "content_index", events: "response.content_part", item }
}

/// The types of parts, in the order of their kinds.
const PARTS: &[PartRow] = &[
    part("output_text", "text", "response.output_text", "message"),
    part("refusal", "refusal", "response.refusal", "message"),
    part("reasoning_text", "text", "response.reasoning_text", "reasoning"),
    PartRow {
        index: "summary_index",
        events: "response.reasoning_summary_part",
        ..part("summary_text", "text", "response.reasoning_summary_text", "reasoning")
    },
];

impl PartKind {
    pub(super) fn row(self) -> &'static PartRow {
        &PARTS[self as usize]
    }
}
