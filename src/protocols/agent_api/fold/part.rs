//! One content: its creation and its end.

use super::state::{CellValue, PartState};
use super::{AgentApiMeaning, set_status};
use crate::core::Observed;
use crate::engine::{Context, Counted, Key, SinkValue};
use crate::json::{Str, SurrogateHalf};
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::model::{FileContent, TextContent};
use crate::protocols::agent_api::{Content, ContentType, Message, RunStatus, rules};

impl AgentApiMeaning {
    /// Creates a part of a message at the position for its index. Returns the position.
    pub(super) fn new_part(
        &mut self,
        at: usize,
        index: u32,
        kind: &ContentType,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let parent = self.messages[at].node?;
        let node =
            cx.open(kind.kind(), parent, Message::content, Counted::Contents, self.messages[at].owner)?;
        if index != 0 {
            cx.set(node, Content::index, SinkValue::Int(index.into()));
        }
        cx.share(node, Content::msg_id, parent, Message::id);
        if let ContentType::Other(name) = kind {
            cx.set(node, Content::r#type, SinkValue::Str(name));
            self.breach_in(cx, &rules::UNKNOWN_CONTENT_TYPE, at, Some(index), Observed::Name(name));
        }
        let part = PartState {
            node,
            index,
            kind: kind.clone(),
            phase: Phase::Absent,
            status: "in_progress",
            value: CellValue::None,
            pieces: false,
            half: SurrogateHalf::NONE,
            shape: None,
            tool: None,
            said: None,
            fingerprints: None,
        };
        let state = &mut self.messages[at];
        let place = state.part(index).unwrap_or_else(|place| place);
        if place < state.parts.len() {
            // The context appends; this part belongs further to the front.
            cx.move_last(parent, Message::content, node, place);
        }
        state.parts.insert(place, part);
        Some(place)
    }

    /// Ends a part with this status.
    pub(super) fn end_part(&mut self, at: usize, place: usize, status: &'static str, cx: &mut Context<'_>) {
        self.flush_half(at, place, cx);
        let part = &mut self.messages[at].parts[place];
        part.phase = Phase::Ended;
        if part.status != status {
            part.status = status;
            let node = part.node;
            set_status(node, status, cx);
        }
        let part = &mut self.messages[at].parts[place];
        part.forget_shape();
        if part.tool.is_some() {
            self.end_tool(at, place, cx);
        }
    }

    /// R22: ends the open parts of an ended message with the status of the message.
    pub(super) fn end_parts(&mut self, at: usize, status: &RunStatus, cx: &mut Context<'_>) {
        let Some(status) = terminal_name(status) else {
            return;
        };
        for place in 0..self.messages[at].parts.len() {
            if self.messages[at].parts[place].phase != Phase::Ended {
                self.end_part(at, place, status, cx);
            }
        }
    }

    /// Replaces pending halves of characters at the end of the stream, because their other halves are missing.
    pub(super) fn finish_parts(&mut self, at: usize, cx: &mut Context<'_>) {
        for place in 0..self.messages[at].parts.len() {
            self.flush_half(at, place, cx);
        }
    }

    fn flush_half(&mut self, at: usize, place: usize, cx: &mut Context<'_>) {
        let part = &mut self.messages[at].parts[place];
        if !part.half.is_waiting() {
            return;
        }
        part.half = SurrogateHalf::NONE;
        if let CellValue::Text(digest) = &mut part.value
            && cx.append_text(part.node, main_member(&part.kind), "\u{fffd}")
        {
            digest.push(&self.keys, "\u{fffd}".as_bytes());
        }
        let index = part.index;
        self.breach_in(cx, &rules::LONE_SURROGATE, at, Some(index), Observed::Words("a half at the end"));
    }
}

/// Returns the name of the status of an event, if it is a terminal one.
pub(super) fn terminal(status: Option<Str<'_>>) -> Option<&'static str> {
    terminal_name(&RunStatus::from(&*status?.to_str()))
}

fn terminal_name(status: &RunStatus) -> Option<&'static str> {
    match status {
        RunStatus::Completed => Some("completed"),
        RunStatus::Failed => Some("failed"),
        RunStatus::Canceled => Some("canceled"),
        RunStatus::Rejected => Some("rejected"),
        RunStatus::Incomplete => Some("incomplete"),
        RunStatus::Created
        | RunStatus::InProgress
        | RunStatus::Queued
        | RunStatus::Unknown
        | RunStatus::Other(_) => None,
    }
}

/// Returns the member that pieces continue.
pub(super) fn main_member(kind: &ContentType) -> Key {
    match kind {
        ContentType::File => FileContent::file_data,
        kind => kind.members().first().copied().unwrap_or(TextContent::text),
    }
}
