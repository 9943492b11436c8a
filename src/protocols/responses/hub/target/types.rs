//! The types of items and parts: their names, their streamed texts and the names of their events.

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

    /// Whether the state of the item writes that member.
    pub fn writes(&self, key: &str) -> bool {
        match key {
            "id" | "type" => true,
            "status" => self.has_status,
            "content" if matches!(self.name, "message" | "reasoning") => true,
            "summary" if self.name == "reasoning" => true,
            _ => self.streamed.is_some_and(|streamed| streamed.member == key),
        }
    }
}

/// A kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
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
    pub fn row(self) -> &'static PartRow {
        &PARTS[self as usize]
    }
}
