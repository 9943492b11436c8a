//! Events of tools of the server, and changes of lists in free JSON. (O18)

use alloc::string::String;

use super::{ResponsesFold, object, text, word};
use crate::core::{EventReading, Observed};
use crate::engine::{Context, Field, FieldValue, ObjectId};
use crate::json::{Element, Raw, decimal, write_string};
use crate::protocols::responses::events::EventKind;
use crate::protocols::responses::model::{
    ResponsesImageGenerationCall, ResponsesShellCall, ResponsesShellCallOutput,
};
use crate::protocols::responses::{Item, ItemType, rules};

impl ResponsesFold {
    /// Applies an event of a tool of the server.
    pub(super) fn tool_event(
        &mut self,
        kind: EventKind,
        event: &EventReading<'_, '_>,
        name: &str,
        cx: &mut Context<'_>,
    ) {
        match kind {
            EventKind::ImageGenerationCallPartialImage => {
                let Some(at) = self.item(event, &ItemType::ImageGenerationCall, cx) else { return };
                let object = &mut self.items[at].object;
                let key = ResponsesImageGenerationCall::partial_image_b64;
                cx.set_text(object.node, key, &text(event, "partial_image_b64").to_str());
                object.note(key, None);
            }
            EventKind::ShellCallCommandAdded | EventKind::ShellCallCommandDone => {
                let mut json = String::new();
                write_string(&text(event, "command").to_str(), &mut json);
                self.command(event, name, Some(&json), cx);
            }
            EventKind::ShellCallCommandDelta => {
                let Some((node, index)) = self.command(event, name, None, cx) else { return };
                let path = ["commands", &decimal(index as i64)];
                let delta = text(event, "delta").to_str();
                cx.append_in(node, ResponsesShellCall::action, &path, &delta);
            }
            EventKind::ShellCallOutputContentDelta => {
                let Some((node, index)) = self.shell_output(event, cx) else { return };
                let Some(delta) = object(event.named("delta"), cx) else { return };
                for channel in ["stdout", "stderr"] {
                    if let Some(piece) = delta.member(channel).and_then(|piece| piece.string().ok())
                    {
                        let path = [&*decimal(index as i64), channel];
                        cx.append_in(
                            node,
                            ResponsesShellCallOutput::output,
                            &path,
                            &piece.to_str(),
                        );
                    }
                }
            }
            EventKind::ShellCallOutputContentDone => {
                let Some((node, index)) = self.shell_output(event, cx) else { return };
                let output = event.named("output").and_then(|output| output.array().ok()?.next());
                if let Some(output) = object(output, cx) {
                    let path = [&*decimal(index as i64)];
                    set_or_add(
                        node,
                        ResponsesShellCallOutput::output,
                        &path,
                        false,
                        output.raw().as_str(),
                        cx,
                    );
                }
            }
            EventKind::CompactionCompacting
            | EventKind::McpListToolsInProgress
            | EventKind::McpListToolsCompleted
            | EventKind::McpListToolsFailed => {
                self.progress(event, name, false, cx);
            }
            // The answer does not contain these events.
            EventKind::AudioDelta
            | EventKind::AudioDone
            | EventKind::AudioTranscriptDelta
            | EventKind::AudioTranscriptDone
            | EventKind::Keepalive => {}
            _ => self.progress(event, name, true, cx),
        }
    }

    /// Applies `response.<type>.<status>`, the progress of a tool. It becomes the status of the
    /// item if `sets_status`.
    fn progress(
        &mut self,
        event: &EventReading<'_, '_>,
        name: &str,
        sets_status: bool,
        cx: &mut Context<'_>,
    ) {
        let words = name.strip_prefix("response.").and_then(|name| name.split_once('.'));
        let Some((kind, status)) = words else { return };
        let Some(at) = self.item(event, &ItemType::from(kind), cx) else { return };
        if sets_status {
            let object = &mut self.items[at].object;
            cx.set(object.node, Item::status, word(status));
            object.note(Item::status, None);
        }
    }

    /// Sets a command of a shell call to `json`. Without `json`, a new command is empty. Returns
    /// its place, or `None` if it was refused.
    fn command(
        &mut self,
        event: &EventReading<'_, '_>,
        name: &str,
        json: Option<&str>,
        cx: &mut Context<'_>,
    ) -> Option<(ObjectId, usize)> {
        let at = self.item(event, &ItemType::ShellCall, cx)?;
        let item = &mut self.items[at];
        let (node, key) = (item.object.node, ResponsesShellCall::action);
        if item.entries.is_none() {
            cx.record_in(
                &rules::PART_MISSING,
                item.owner,
                None,
                Observed::Words("no list `commands`"),
            );
            item.entries = cx.set_json(node, key, r#"{"commands":[]}"#).then_some(0);
        }
        let entries = item.entries.as_mut()?;
        let (index, is_new) = index_or_next(event.integer("command_index"), *entries, cx);
        item.object.note(key, None);
        if is_new && !name.ends_with(".added") {
            cx.record(&rules::PART_MISSING, Observed::Name(name));
        }
        if let Some(json) = json.or(is_new.then_some("\"\"")) {
            if !set_or_add(node, key, &["commands", &decimal(index as i64)], is_new, json, cx) {
                return None;
            }
            *entries = (*entries).max(index + 1);
        }
        Some((node, index))
    }

    /// Returns the place of the output of a command of a shell call. Adds the output if it is
    /// missing, and the outputs of the previous commands if the call is known.
    fn shell_output(
        &mut self,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) -> Option<(ObjectId, usize)> {
        let index = event.integer("command_index");
        let at = self.item(event, &ItemType::ShellCallOutput, cx)?;
        let call = self.call_of(at).map(|call| self.items[call].entries.unwrap_or(0));
        let item = &mut self.items[at];
        let key = ResponsesShellCallOutput::output;
        if item.entries.is_none() {
            cx.record_in(
                &rules::PART_MISSING,
                item.owner,
                None,
                Observed::Words("no list `output`"),
            );
            item.entries = cx.set_json(item.object.node, key, "[]").then_some(0);
        }
        let length = item.entries.as_mut()?;
        item.object.note(key, None);
        let requested = index.and_then(|index| usize::try_from(index).ok());
        let (index, from) = match requested
            .filter(|requested| call.is_some_and(|commands| *requested < commands))
        {
            Some(requested) => (requested, *length),
            None => {
                if let Some(commands) = call {
                    cx.record(&rules::PART_MISSING, Observed::Number(index, commands as i64));
                }
                let (index, is_new) = index_or_next(index, *length, cx);
                (index, index + usize::from(!is_new))
            }
        };
        for place in from..=index {
            let empty = r#"{"stdout":"","stderr":"","outcome":{"type":"exit","exit_code":0}}"#;
            if !set_or_add(item.object.node, key, &[&decimal(place as i64)], true, empty, cx) {
                return None;
            }
            *length = (*length).max(place + 1);
        }
        Some((item.object.node, index))
    }
}

/// Returns the member of an item of a shell that holds its commands or their outputs.
pub(super) fn entries_field(kind: &ItemType) -> Option<Field> {
    match kind {
        ItemType::ShellCall => Some(ResponsesShellCall::action),
        ItemType::ShellCallOutput => Some(ResponsesShellCallOutput::output),
        _ => None,
    }
}

/// Returns the number of commands, or of outputs, in that member. `None` if it does not have a list
/// of them.
pub(super) fn count_entries(kind: &ItemType, value: Element<'_, '_>) -> Option<usize> {
    list_length(if *kind == ItemType::ShellCall { value.member("commands")? } else { value })
}

/// Returns the number of elements of a list. `None` for another value.
pub(super) fn list_length(list: Element<'_, '_>) -> Option<usize> {
    list.array().ok().map(Iterator::count)
}

/// Returns the place of an index in a list of `length` elements, and whether it is the next one. An
/// index that would leave a gap becomes the next one.
pub(super) fn index_or_next(
    index: Option<i64>,
    length: usize,
    cx: &mut Context<'_>,
) -> (usize, bool) {
    let known =
        index.and_then(|index| usize::try_from(index).ok()).filter(|index| *index <= length);
    if known.is_none() {
        cx.record(&rules::PART_MISSING, Observed::Number(index, length as i64));
    }
    let index = known.unwrap_or(length);
    (index, index == length)
}

/// Sets a place inside free JSON, or adds an element there. Returns false if that was refused.
pub(super) fn set_or_add(
    node: ObjectId,
    key: Field,
    path: &[&str],
    is_new: bool,
    json: &str,
    cx: &mut Context<'_>,
) -> bool {
    match is_new {
        true => cx.add_element(node, key, path, FieldValue::Json(Raw(json))),
        false => cx.set_in(node, key, path, FieldValue::Json(Raw(json))),
    }
}
