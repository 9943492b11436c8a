//! Other forms of AG-UI: the events of the Agent API Endpoints app, which have other members (C.3,
//! E13, E14), and the parts of messages as older versions write them (U8).

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::check::{CheckedEvent, has_extra_ids};
use super::{AgUiFold, ContentPiece};
use crate::bytes::{between, holds, put};
use crate::core::json_patch::TreeNode as Tree;
use crate::core::{EventReading, Observed};
use crate::engine::Context;
use crate::json::{Document, Element, ObjectWriter, Raw, Str, Value, write_string};
use crate::protocols::ag_ui::events::EventKind;
use crate::protocols::ag_ui::lifecycle::{EventHead, Phase, StreamKind};
use crate::protocols::ag_ui::rules;

/// Returns a member that is not null.
fn filled<'d, 'a>(event: Element<'d, 'a>, name: &str) -> Option<Element<'d, 'a>> {
    event.member(name).filter(|value| !value.is_null())
}

impl AgUiFold {
    /// Detects the dialect of the app: every event has the ids of the thread and of the run. The
    /// first event that AG-UI declares without them decides.
    pub(super) fn detect_dialect(
        &mut self,
        kind: EventKind,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let declares_ids = matches!(kind, EventKind::RunStarted | EventKind::RunFinished);
        if !self.endpoints
            && !declares_ids
            && self.life.phase != Phase::Fragments
            && has_extra_ids(event)
        {
            self.endpoints = true;
            cx.record(&rules::DIALECT_ENDPOINTS, Observed::Name(kind.name()));
        }
    }

    /// Adds the arguments of a call, which are one object.
    pub(super) fn endpoints_arguments(
        &mut self,
        head: &EventHead<'_>,
        arguments: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let Some(arguments) = arguments else { return };
        let json = arguments.raw().as_str();
        let mut quoted = String::new();
        match arguments.string() {
            Ok(_) => quoted.push_str(json),
            Err(_) => write_string(json, &mut quoted),
        }
        if let Ok(document) = Document::read(&quoted, 1)
            && let Ok(delta) = document.root().string()
        {
            self.apply_stream(
                head,
                ContentPiece { delta: Some(delta), ..ContentPiece::default() },
                cx,
            );
        }
    }

    /// Adds the result of a call, which may be the first event of this call.
    pub(super) fn endpoints_result(&mut self, checked: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let (head, event) = (&checked.head(), checked.event.json);
        let text = |name| filled(event, name).map(|text| text.words().into_owned());
        let Some(call) = text("tool_call_id").or_else(|| text("toolCallId")) else { return };
        if self.messages.calls.ids.find(&call).is_none() {
            let of_call = |kind| EventHead { kind, id: &call, metadata: None, ..*head };
            let name = text("tool_name").unwrap_or_default();
            let piece = ContentPiece { name: Some(Str::plain(&name)), ..ContentPiece::default() };
            self.apply_stream(&of_call(EventKind::ToolCallStart), piece, cx);
            let arguments = filled(event, "tool_call_args");
            self.endpoints_arguments(&of_call(EventKind::ToolCallArgs), arguments, cx);
            self.apply_stream(&of_call(EventKind::ToolCallEnd), ContentPiece::default(), cx);
        }
        let result =
            ["content", "result", "error"].into_iter().find_map(|name| filled(event, name));
        // A tool message contains text or parts. Any other value is written as JSON text.
        let mut content = String::new();
        match result {
            Some(result) if result.string().is_ok() => content.push_str(result.raw().as_str()),
            Some(result) => write_string(result.raw().as_str(), &mut content),
            None => content.push_str("\"\""),
        }
        let extra = ["tool_name", "tool_call_args", "status", "stage", "error"];
        with_extra(event, &extra, head, |head| {
            if self.life.step(head, cx).is_some() {
                self.add_result(head, &call, &content, cx);
            }
        });
    }

    /// Handles the end of a text that has not started; the event contains the whole text.
    pub(super) fn endpoints_text(&mut self, checked: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let (head, event) = (&checked.head(), checked.event.json);
        let text = |name| event.member(name).and_then(|text| text.string().ok());
        if let Some(answer) =
            text("answer").filter(|_| !self.life.open.names(StreamKind::Text).is_open(head.id))
        {
            let part = |kind| EventHead { kind, metadata: None, ..*head };
            let piece = ContentPiece { delta: Some(answer), role: text("role"), name: None };
            self.apply_stream(&part(EventKind::TextMessageStart), piece, cx);
            self.apply_stream(&part(EventKind::TextMessageContent), piece, cx);
        }
        let extra = ["status", "stage", "key_points", "suggested_actions", "ui_schema"];
        with_extra(event, &extra, head, |head| {
            self.apply_stream(head, ContentPiece::default(), cx)
        });
    }
}

/// Applies an event with the members that AG-UI does not have as its metadata.
fn with_extra(
    event: Element<'_, '_>,
    names: &[&str],
    head: &EventHead<'_>,
    apply: impl FnOnce(&EventHead<'_>),
) {
    let mut json = String::new();
    let mut object = ObjectWriter::open(&mut json, true);
    for name in names {
        object.raw(name, filled(event, name).map(|value| Raw(value.raw().as_str())));
    }
    object.close();
    match Document::read(&json, u32::MAX) {
        Ok(document) if !document.root().is_empty_object() => {
            apply(&EventHead { metadata: Some(document.root()), ..*head });
        }
        _ => apply(head),
    }
}

/// Replaces the `binary` parts in messages with parts of their media type. Returns `None` if there
/// are not any.
pub(super) fn without_binary(value: Element<'_, '_>) -> Option<String> {
    let whole = value.raw().as_str();
    if !holds(whole, b"\"binary\"") {
        return None;
    }
    let messages = if value.object().is_ok() { value.member("messages")? } else { value };
    let (mut out, mut from) = (String::new(), 0);
    for message in messages.items() {
        let Some(content) = message.member("content") else { continue };
        let (mut modern, mut present) = (Vec::new(), Vec::new());
        for part in content.items() {
            let modern_part = upgraded(&|name| Some(part.member(name)?.string().ok()?.to_str()));
            modern.push(modern_part.map(|part| part.to_json()));
        }
        if modern.iter().all(Option::is_none) {
            continue;
        }
        let old = content.raw().as_str();
        let start = (old.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
        put(&mut out, between(whole, from, start));
        from = start + old.len();
        for part in content.items() {
            present.push(Tree::of(part).to_json());
        }
        out.push('[');
        for (part, modern) in content.items().zip(&modern) {
            let json = match modern {
                Some(modern) if present.contains(modern) => continue,
                Some(modern) => modern.as_str(),
                None => part.raw().as_str(),
            };
            if !out.ends_with('[') {
                out.push(',');
            }
            put(&mut out, json);
        }
        out.push(']');
    }
    (from > 0).then(|| {
        put(&mut out, between(whole, from, whole.len()));
        out
    })
}

/// Converts one part. The argument returns the texts of the part by name.
pub(in crate::protocols::ag_ui) fn upgraded<'t>(
    text: &dyn Fn(&str) -> Option<Cow<'t, str>>,
) -> Option<Value> {
    let filled = |name| text(name).filter(|text| !text.is_empty());
    filled("type").filter(|name| name == "binary")?;
    let media = text("mimeType")?;
    let kind = match media.split_once('/') {
        Some((kind @ ("image" | "audio" | "video"), _)) => kind,
        _ => "document",
    };
    let (of, value) = filled("data")
        .map(|data| ("data", data))
        .or_else(|| filled("url").map(|url| ("url", url)))?;
    let source = [("type", of.into()), ("value", (&*value).into()), ("mimeType", (&*media).into())];
    let mut part = Value::from([("type", kind.into()), ("source", Value::from(source))]);
    if let Some(name) = filled("filename") {
        part.insert("metadata", Value::from([("filename", (&*name).into())]));
    }
    Some(part)
}
