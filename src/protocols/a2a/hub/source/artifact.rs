//! The content of an artifact as a message: its parts, with pieces of text joined, and the changes
//! when the artifact is sent again. (2.4, A5.)

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::hub::conversation::Sealed;
use crate::hub::metadata::{OPAQUE, sealed_in};
use crate::hub::payload::{audio_format, data_url};
use crate::hub::steps::{emit_note, message_end};
use crate::hub::{
    EndStatus, Hub, InputFormat, MediaKind, MessageEnd, MessageKind, Note, OpaquePlace, Payload,
    Role, Step,
};
use crate::json::{Member, Value};

/// An artifact or a message, with the parts that were emitted.
#[derive(Debug, Default)]
pub(super) struct EmittedArtifact {
    /// Its message; 0 before its first change was emitted.
    pub message: u32,
    pub change: ArtifactChange,
    /// The kind of the message, or the name of the step that the artifact is instead: known as soon
    /// as one of them was emitted.
    kind: Option<String>,
    /// The message has ended, or the artifact is a step.
    is_closed: bool,
    parts: Vec<EmittedPart>,
    /// The places of the parts that have an index, as this crate writes them: their pieces can
    /// alternate.
    places: StringMap<usize>,
    numbers: u32,
    end: Value,
    /// The opaque members in the metadata that were not emitted.
    sealed: Vec<(String, Sealed)>,
    /// The id of its call, or of the call of its result.
    call: String,
}

/// The effect of the current event on an artifact, in addition to its new parts.
#[derive(Debug, Default)]
pub(super) struct ArtifactChange {
    /// The members that it sets.
    pub fields: Value,
    /// It replaces all parts.
    pub replaces: bool,
    /// It completes the artifact.
    pub completes: bool,
}

/// A part that was emitted.
#[derive(Debug, PartialEq)]
struct EmittedPart {
    number: u32,
    /// The part; of a text only its metadata.
    what: Value,
    text: Option<String>,
}

/// Returns the number of the alternative answer that an artifact belongs to.
fn alternative_of(fields: &Value) -> Option<u32> {
    fields.get("alternative")?.integer()
}

/// Returns the role of a sender.
pub(super) fn role_of(role: Option<&str>) -> Option<Role<'static>> {
    role.map(|role| if role == "ROLE_USER" { Role::User } else { Role::Assistant })
}

/// Reports whether a member of the metadata describes the end of the message, in the form that this
/// crate writes. Other values of these names are arbitrary data.
fn is_of_end(key: &str, value: &Value) -> bool {
    match key {
        "status" => value.as_str().is_some_and(|status| EndStatus::from(status).as_str() == status),
        "code" | "message" => value.as_str().is_some(),
        "error" => {
            let is_text = |member: &Member| {
                matches!(&*member.key, "code" | "message") && member.value.as_str().is_some()
            };
            value.get("message").is_some() && value.members().iter().all(is_text)
        }
        "usage" => matches!(value, Value::Object(_)),
        _ => false,
    }
}

impl EmittedArtifact {
    /// Opens the message. Artifacts of this crate have the kind in their metadata. The name of
    /// another artifact is its kind if it is one of a call, a result or a thought.
    pub fn open(
        &mut self,
        id: &str,
        name: Option<&str>,
        role: Option<Role<'_>>,
        metadata: Option<&Value>,
        hub: &mut Hub<'_>,
    ) {
        let fields = metadata.unwrap_or(&Value::Null);
        let named =
            name.map(MessageKind::from).filter(|kind| !matches!(kind, MessageKind::Other(_)));
        let kind =
            fields.text("type").map(MessageKind::from).or(named).unwrap_or(MessageKind::Message);
        self.kind = Some(kind.as_str().to_owned());
        let role = fields.text("role").map(Role::from).or(role).unwrap_or(kind.default_role());
        let open = &Step::Open {
            message: self.message,
            kind,
            role,
            id: Some(id).filter(|id| !id.is_empty()),
            name: fields.text("name").or(name).filter(|name| *name != kind.as_str()),
            parent: fields.text("parent"),
            alternative: alternative_of(fields).unwrap_or(0),
        };
        hub.emit_in(hub.meta().in_lane(fields.text("lane")), open);
        self.metadata(metadata, hub);
    }

    /// Keeps the metadata for the end of the message, and emits the other metadata.
    fn metadata(&mut self, metadata: Option<&Value>, hub: &mut Hub<'_>) {
        let Some(fields @ Value::Object(members)) = metadata else { return };
        let is_of_start = |key: &str| match key {
            "type" | "role" | "name" | "parent" | "lane" => true,
            "alternative" => alternative_of(fields).is_some(),
            OPAQUE => sealed_in(fields).is_some(),
            _ => false,
        };
        self.sealed.extend(sealed_in(fields).unwrap_or_default());
        let (end, rest): (Vec<_>, Vec<_>) = members
            .iter()
            .filter(|member| !is_of_start(&member.key))
            .cloned()
            .partition(|Member { key, value }| is_of_end(key, value));
        for Member { key, value } in end {
            self.end.insert(&key, value);
        }
        if !rest.is_empty() {
            let value = Value::Object(rest);
            hub.note(Note::Metadata { value: &value, message: Some(self.message), call: None });
        }
    }

    /// Emits the changes by the current event.
    pub fn emit_changes(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        let ArtifactChange { fields, replaces, completes } = core::mem::take(&mut self.change);
        // A step that is not part of a message.
        let step = fields
            .text("name")
            .and_then(|name| name.strip_prefix("agentwire."))
            .map(ToOwned::to_owned);
        if let (None, Some(step), [part]) = (&self.kind, &step, &parts[..])
            && let Some(data) = part.get("data")
            && emit_step(step, data, hub)
        {
            (self.is_closed, self.kind) = (true, Some(step.clone()));
            return;
        }
        if self.kind.is_none() {
            let id = fields.text("artifactId").unwrap_or_default().to_owned();
            self.open(&id, fields.text("name"), None, fields.get("metadata"), hub);
            if let Some(description) = fields.get("description") {
                let value = [("description", description.clone())].into();
                hub.note(Note::Metadata { value: &value, message: Some(self.message), call: None });
            }
        } else if !self.is_closed {
            self.metadata(fields.get("metadata"), hub);
        }
        // Those of a call and of a result precede it.
        if self.kind().is_tool() {
            self.emit_sealed(parts.first(), hub);
        }
        match replaces {
            true => self.replace(parts, hub),
            false => self.add(parts, hub),
        }
        if completes {
            self.close(hub);
        }
    }

    /// Adds parts after the others.
    pub fn add(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        for part in parts {
            let new = EmittedPart::of(part);
            let indexed =
                || self.places.get(&new.key()).copied().filter(|_| new.what.get("index").is_some());
            let last =
                self.parts.last().filter(|last| last.text.is_some() && last.what == new.what);
            let at = if last.is_some() { self.parts.len().checked_sub(1) } else { indexed() };
            match (at.and_then(|at| self.parts.get_mut(at)), &new.text) {
                (Some(part), Some(piece)) => {
                    let number = part.number;
                    part.text.get_or_insert_default().push_str(piece);
                    self.emit_text(number, &new.what, piece, hub);
                }
                _ => self.begin(new, hub),
            }
        }
    }

    /// Appends a piece to the last text.
    pub fn piece(&mut self, piece: &str, hub: &mut Hub<'_>) {
        let last = self.parts.iter_mut().rev().find(|part| part.text.is_some());
        let Some(EmittedPart { number, what, text: Some(text) }) = last else { return };
        text.push_str(piece);
        let (number, what) = (*number, what.clone());
        self.emit_text(number, &what, piece, hub);
    }

    /// Emits a new part.
    fn begin(&mut self, mut part: EmittedPart, hub: &mut Hub<'_>) {
        part.number = self.numbers;
        self.numbers += 1;
        match &part.text {
            // A message without content has an empty text.
            Some(piece) if piece.is_empty() => {}
            Some(piece) => self.emit_text(part.number, &part.what, piece, hub),
            None => self.whole(part.number, &part.what, hub),
        }
        self.hold(part);
    }

    fn hold(&mut self, part: EmittedPart) {
        if part.text.is_some() && part.what.get("index").is_some() {
            self.places.insert(&part.key(), self.parts.len());
        }
        self.parts.push(part);
    }

    /// Returns whether parts are the same text, or the same and more.
    pub fn grows_to(&self, parts: &[Value]) -> bool {
        let ([EmittedPart { text: Some(before), .. }], Some(last)) =
            (&self.parts[..], parts.last())
        else {
            return false;
        };
        let is_text = parts.len() == 1 && !before.trim().is_empty();
        is_text && last.text("text").is_some_and(|text| text.starts_with(before))
    }

    /// Replaces the parts: emits the new ones, and retracts those that were removed.
    pub fn replace(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        let mut new: Vec<EmittedPart> = Vec::new();
        for part in parts.into_iter().map(EmittedPart::of) {
            match (new.last_mut(), &part.text) {
                (Some(last), Some(piece)) if last.text.is_some() && last.what == part.what => {
                    last.text.get_or_insert_default().push_str(piece);
                }
                _ => new.push(part),
            }
        }
        let message = self.message;
        let before = core::mem::take(&mut self.parts);
        self.places = StringMap::default();
        let mut places = StringMap::default();
        for (at, part) in before.iter().enumerate().rev() {
            places.insert(&part.key(), at);
        }
        let retract = |removed: &[EmittedPart], hub: &mut Hub<'_>| {
            for part in removed {
                hub.note(Note::Retract { message, part: Some(part.number) });
            }
        };
        let mut next = 0;
        for part in new {
            let place = places.get(&part.key()).copied().filter(|at| *at >= next);
            let Some(at) = place else {
                // A new part is added after all others, so those that follow it are retracted and
                // emitted again.
                retract(&before[next..], hub);
                next = before.len();
                self.begin(part, hub);
                continue;
            };
            retract(&before[next..at], hub);
            next = at + 1;
            let number = before[at].number;
            if let (Some(fields), Some(text)) = (&before[at].text, &part.text) {
                match text.strip_prefix(fields.as_str()) {
                    Some("") => {}
                    Some(rest) => self.emit_text(number, &part.what, rest, hub),
                    None => hub.note(Note::Replace { message, part: number, text, call: None }),
                }
            }
            self.hold(EmittedPart { number, ..part });
        }
        retract(&before[next..], hub);
    }

    /// Emits the opaque members of the metadata. `part` is that of a call or of its result.
    fn emit_sealed(&mut self, part: Option<&Value>, hub: &mut Hub<'_>) {
        if let Some(call) = part.and_then(|part| part.get("data")?.text("call_id")) {
            self.call = call.to_owned();
        }
        for (text, sealed) in core::mem::take(&mut self.sealed) {
            let place = match self.kind() {
                MessageKind::Call(_) => OpaquePlace::call(self.message, &self.call),
                MessageKind::Result(_) => OpaquePlace::result(Some(self.message), &self.call),
                _ => OpaquePlace::part(self.message, sealed.part.unwrap_or_default()),
            };
            hub.carried(&text, &Value::Null, place);
        }
    }

    /// Closes the message with the end from its metadata.
    pub fn close(&mut self, hub: &mut Hub<'_>) {
        if core::mem::replace(&mut self.is_closed, true) {
            return;
        }
        self.emit_sealed(None, hub);
        let end = MessageEnd {
            message: self.end.text("message").map(ToOwned::to_owned),
            usage: self.end.get("usage").cloned(),
            ..message_end(&self.end)
        };
        hub.emit(&Step::Close { message: self.message, end: &end });
    }
}

impl EmittedPart {
    /// Creates a part that was not emitted. Adjacent texts are one part if their metadata are
    /// equal.
    fn of(mut part: Value) -> Self {
        let fields = part.text("text").map(ToOwned::to_owned);
        if fields.is_some() {
            part = part.get("metadata").cloned().unwrap_or_default();
        }
        EmittedPart { number: 0, what: part, text: fields }
    }

    /// Returns the key of a part, which is equal for two versions of the same part.
    fn key(&self) -> String {
        let kind = if self.text.is_some() { "text" } else { "whole" };
        [kind, &self.what.to_json()].concat()
    }
}

/// Emits a step of an artifact. Returns false if the name is not that of a step.
fn emit_step(step: &str, data: &Value, hub: &mut Hub<'_>) -> bool {
    if step != "annotation" {
        return emit_note(step, data, hub);
    }
    // Its message had ended.
    let mut data = data.clone();
    data.insert("message", 0.into());
    emit_note(step, &data, hub)
}

impl EmittedArtifact {
    fn kind(&self) -> MessageKind<'_> {
        MessageKind::from(self.kind.as_deref().unwrap_or("message"))
    }

    pub(super) fn emit_text(&self, part: u32, what: &Value, piece: &str, hub: &mut Hub<'_>) {
        let message = self.message;
        let kind = what.text("kind");
        hub.emit(&match (self.kind(), kind) {
            (_, Some("refusal")) => Step::Refusal { message, part, piece },
            (MessageKind::Reasoning, _) => {
                Step::Reasoning { message, part, piece, summary: kind == Some("summary") }
            }
            _ => Step::Text { message, part, piece },
        });
    }

    /// Emits a part that is sent whole.
    pub(super) fn whole(&self, part: u32, what: &Value, hub: &mut Hub<'_>) {
        let message = self.message;
        let media_type = what.text("mediaType").unwrap_or_default();
        let (raw, url, filename) = (what.text("raw"), what.text("url"), what.text("filename"));
        let inline = raw.map(|raw| data_url(media_type, raw));
        let address = inline.as_deref().filter(|_| !media_type.is_empty()).or(raw).or(url);
        if let Some(data) = what.get("data") {
            return self.data(part, data, hub);
        }
        let payload = match MediaKind::of_type(media_type) {
            MediaKind::Image => Payload::Image { url: address },
            MediaKind::Video => Payload::Video { url: address },
            MediaKind::Audio => {
                Payload::Audio { data: raw.or(url), format: audio_format(media_type) }
            }
            _ if raw.is_some() => {
                Payload::File { url: None, id: None, name: filename, data: address }
            }
            _ if url.is_some() => {
                if !media_type.is_empty() {
                    hub.lose("media-type", media_type, "a file that is an address has none");
                }
                Payload::File { url, id: None, name: filename, data: None }
            }
            _ => return,
        };
        if let (Some(filename), false) = (filename, matches!(payload, Payload::File { .. })) {
            hub.lose("filename", filename, "only files have names");
        }
        hub.emit(&Step::whole(message, part, payload));
    }

    /// Emits data: a call, a result, a question or an answer, or arbitrary data.
    fn data(&self, part: u32, data: &Value, hub: &mut Hub<'_>) {
        let message = self.message;
        if !matches!(data, Value::Object(_)) {
            let data = [("value", data.clone())].into();
            return hub.emit(&Step::whole(message, part, Payload::Data(&data)));
        }
        let words = |name: &str| data.get(name).map(Value::to_text);
        let rest = |known: &[&str]| data.members_without(known);
        match (self.kind(), data.text("call_id")) {
            (MessageKind::Call(_), Some(id)) => {
                let more = rest(&["call_id", "name", "arguments", "input", "incomplete"]);
                let name = data.text("name").unwrap_or_default();
                let input = if data.text("input") == Some("text") {
                    InputFormat::Text
                } else {
                    InputFormat::Json
                };
                hub.emit(&Step::Call { message, part, id, name, input, more: &more });
                let arguments = words("arguments").unwrap_or_default();
                if !arguments.is_empty() {
                    hub.emit(&Step::Arguments { message, part, piece: &arguments });
                }
                let whole = data.get("incomplete") != Some(&Value::Bool(true));
                hub.emit(&Step::EndPart { message, part, whole });
            }
            (MessageKind::Result(_), Some(id)) => hub.emit(&Step::Result {
                message,
                part,
                id,
                name: data.text("name"),
                output: &words("output").unwrap_or_default(),
                content: data.get("content").filter(|content| matches!(content, Value::Array(_))),
                preview: data.get("preview") == Some(&Value::Bool(true)),
                more: &rest(&["call_id", "name", "output", "content", "preview"]),
            }),
            (MessageKind::Interrupt, _) if data.text("id").is_some() => {
                let payload = data
                    .get("payload")
                    .cloned()
                    .unwrap_or_else(|| Value::Object(rest(&["id", "reason"])));
                hub.emit(&Step::question(message, part, data, &payload));
            }
            (MessageKind::Answer, _) => hub.emit(&Step::Answer {
                message,
                part,
                id: data.text("id").or(data.text("approval_request_id")).unwrap_or_default(),
                approved: data.get("approved").or(data.get("approve")).and_then(Value::as_bool),
                reason: data.text("reason"),
                payload: data.get("payload").unwrap_or(&Value::Null),
            }),
            _ => hub.emit(&Step::whole(message, part, Payload::Data(data))),
        }
    }
}
