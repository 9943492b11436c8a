//! What an artifact says, as a message: its parts, pieces of text joined, and what becomes of them when it comes anew. (2.4, A5.)

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::hub::Payload;
use crate::hub::end::{EndError, MessageEnd};
use crate::hub::kind::{EndStatus, MessageKind, Role};
use crate::hub::note::Note;
use crate::hub::step::{Input, Step};
use crate::hub::steps::say_note;
use crate::hub::transducer::Hub;
use crate::json::{Member, Value};

/// An artifact, or a message, of which some has been said.
#[derive(Debug, Default)]
pub(super) struct Artifact {
    pub message: u32,
    /// What the event at work says of it besides its parts.
    pub said: Value,
    /// All of its parts came anew.
    pub is_replaced: bool,
    /// It is said to be whole.
    pub is_whole: bool,
    kind: Option<String>,
    is_closed: bool,
    parts: Vec<Held>,
    numbers: u32,
    end: Value,
}

/// A part that has been said.
#[derive(Debug, PartialEq)]
struct Held {
    number: u32,
    /// The part; of a text only what it is.
    what: Value,
    text: Option<String>,
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

/// Who speaks.
pub(super) fn role_of(role: Option<&str>) -> Option<Role<'static>> {
    role.map(|role| if role == "ROLE_USER" { Role::User } else { Role::Assistant })
}

impl Artifact {
    /// The message begins. Artifacts of this crate say what they are; those of others, by their names, if they are calls,
    /// results or thoughts.
    pub fn open(
        &mut self,
        id: &str,
        name: Option<&str>,
        role: Option<Role<'_>>,
        metadata: Option<&Value>,
        hub: &mut Hub<'_>,
    ) {
        let said = metadata.unwrap_or(&Value::Null);
        let named = name.map(MessageKind::from).filter(|kind| !matches!(kind, MessageKind::Other(_)));
        let kind = text(said, "type").map(MessageKind::from).or(named).unwrap_or(MessageKind::Message);
        self.kind = Some(kind.as_str().to_owned());
        let role = text(said, "role").map(Role::from).or(role).unwrap_or(kind.default_role());
        hub.emit(&Step::Open {
            message: self.message,
            kind,
            role,
            id: Some(id).filter(|id| !id.is_empty()),
            name: text(said, "name").or(name).filter(|name| *name != kind.as_str()),
            parent: text(said, "parent"),
            alternative: 0,
        });
        self.metadata(metadata, hub);
    }

    /// What its metadata say: of its end, or free.
    fn metadata(&mut self, metadata: Option<&Value>, hub: &mut Hub<'_>) {
        let Some(Value::Object(members)) = metadata else { return };
        let is_end = |key: &str| matches!(key, "status" | "error" | "code" | "text" | "usage");
        let is_said = |key: &str| matches!(key, "type" | "role" | "name" | "parent" | "lane");
        let (end, rest): (Vec<_>, Vec<_>) = members
            .iter()
            .filter(|member| !is_said(&member.key))
            .cloned()
            .partition(|member| is_end(&member.key));
        end.into_iter().for_each(|Member { key, value }| self.end.insert(&key, value));
        if !rest.is_empty() {
            let value = Value::Object(rest);
            hub.emit(&Step::Note(Note::Metadata { value: &value, message: Some(self.message), call: None }));
        }
    }

    /// Says what the event has said of it.
    pub fn say(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        let said = core::mem::take(&mut self.said);
        // A step that is no part of a message.
        let step =
            text(&said, "name").and_then(|name| name.strip_prefix("agentwire.")).map(ToOwned::to_owned);
        if let (None, Some(step), [part]) = (&self.kind, &step, &parts[..])
            && let Some(data) = part.get("data")
            && say_note(step, data, hub)
        {
            (self.is_closed, self.kind) = (true, Some(step.clone()));
            return;
        }
        if self.kind.is_none() {
            let id = text(&said, "artifactId").unwrap_or_default().to_owned();
            self.open(&id, text(&said, "name"), None, said.get("metadata"), hub);
            if let Some(description) = said.get("description") {
                let value = [("description", description.clone())].into();
                hub.emit(&Step::Note(Note::Metadata {
                    value: &value,
                    message: Some(self.message),
                    call: None,
                }));
            }
        } else if !self.is_closed {
            self.metadata(said.get("metadata"), hub);
        }
        match core::mem::take(&mut self.is_replaced) {
            true => self.replace(parts, hub),
            false => self.add(parts, hub),
        }
        if core::mem::take(&mut self.is_whole) {
            self.close(hub);
        }
    }

    /// Parts after those that it has.
    pub fn add(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        for part in parts {
            let new = Held::of(part);
            match (self.parts.last_mut(), &new.text) {
                (Some(last), Some(piece)) if last.text.is_some() && last.what == new.what => {
                    let number = last.number;
                    last.text.get_or_insert_default().push_str(piece);
                    self.speak(number, &new.what, piece, hub);
                }
                _ => self.begin(new, hub),
            }
        }
    }

    /// The next piece of the last text.
    pub fn piece(&mut self, piece: &str, hub: &mut Hub<'_>) {
        let last = self.parts.iter_mut().rev().find(|part| part.text.is_some());
        let Some(Held { number, what, text: Some(text) }) = last else { return };
        text.push_str(piece);
        let (number, what) = (*number, what.clone());
        self.speak(number, &what, piece, hub);
    }

    /// A new part.
    fn begin(&mut self, mut part: Held, hub: &mut Hub<'_>) {
        part.number = self.numbers;
        self.numbers += 1;
        match &part.text {
            Some(piece) => self.speak(part.number, &part.what, piece, hub),
            None => self.whole(part.number, &part.what, hub),
        }
        self.parts.push(part);
    }

    /// The parts are these: what is new in them is said, and what is gone is taken back.
    fn replace(&mut self, parts: Vec<Value>, hub: &mut Hub<'_>) {
        let mut new: Vec<Held> = Vec::new();
        for part in parts.into_iter().map(Held::of) {
            match (new.last_mut(), &part.text) {
                (Some(last), Some(piece)) if last.text.is_some() && last.what == part.what => {
                    last.text.get_or_insert_default().push_str(piece);
                }
                _ => new.push(part),
            }
        }
        let message = self.message;
        let mut before = core::mem::take(&mut self.parts).into_iter();
        for part in new {
            let Some(held) = before.next() else {
                self.begin(part, hub);
                continue;
            };
            let Held { number, .. } = held;
            match (&held.text, &part.text) {
                (None, None) if held.what == part.what => {}
                (Some(said), Some(text)) if held.what == part.what => {
                    match text.strip_prefix(said.as_str()) {
                        Some("") => {}
                        Some(rest) => self.speak(number, &part.what, rest, hub),
                        None => {
                            hub.emit(&Step::Note(Note::Replace { message, part: number, text, call: None }))
                        }
                    }
                }
                _ => {
                    hub.emit(&Step::Note(Note::Retract { message, part: Some(number) }));
                    self.begin(part, hub);
                    continue;
                }
            }
            self.parts.push(Held { number, ..part });
        }
        for held in before {
            hub.emit(&Step::Note(Note::Retract { message, part: Some(held.number) }));
        }
    }

    /// The message ends, as its metadata say.
    pub fn close(&mut self, hub: &mut Hub<'_>) {
        if core::mem::replace(&mut self.is_closed, true) {
            return;
        }
        let end = &self.end;
        let owned = |name: &str| text(end, name).map(ToOwned::to_owned);
        let error = end.get("error").and_then(|error| {
            let code = text(error, "code").map(ToOwned::to_owned);
            Some(EndError { code, message: text(error, "message")?.to_owned() })
        });
        let status = text(end, "status").map_or(EndStatus::Completed, EndStatus::from);
        let end = MessageEnd {
            error,
            code: owned("code"),
            message: owned("text"),
            usage: end.get("usage").cloned(),
            ..MessageEnd::new(status)
        };
        hub.emit(&Step::Close { message: self.message, end: &end });
    }

    fn kind(&self) -> MessageKind<'_> {
        MessageKind::from(self.kind.as_deref().unwrap_or("message"))
    }

    fn speak(&self, part: u32, what: &Value, piece: &str, hub: &mut Hub<'_>) {
        let message = self.message;
        let kind = text(what, "kind");
        hub.emit(&match (self.kind(), kind) {
            (_, Some("refusal")) => Step::Refusal { message, part, piece },
            (MessageKind::Reasoning, _) => {
                Step::Reasoning { message, part, piece, summary: kind == Some("summary") }
            }
            _ => Step::Text { message, part, piece },
        });
    }

    /// A part that comes whole.
    fn whole(&self, part: u32, what: &Value, hub: &mut Hub<'_>) {
        let message = self.message;
        let media_type = text(what, "mediaType").unwrap_or_default();
        let (raw, url, filename) = (text(what, "raw"), text(what, "url"), text(what, "filename"));
        let inline = raw.map(|raw| ["data:", media_type, ";base64,", raw].concat());
        let address = inline.as_deref().filter(|_| !media_type.is_empty()).or(raw).or(url);
        let family = media_type.split('/').next().unwrap_or_default();
        let payload = match (family, what.get("data")) {
            (_, Some(data)) => return self.data(part, data, hub),
            ("image", _) => Payload::Image { url: address },
            ("video", _) => Payload::Video { url: address },
            ("audio", _) => Payload::Audio {
                data: raw.or(url),
                format: media_type.split('/').nth(1).filter(|format| *format != "*"),
            },
            _ if raw.is_some() => Payload::File { url: None, id: None, name: filename, data: address },
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

    /// Data: of a call, a result or an answer, or free.
    fn data(&self, part: u32, data: &Value, hub: &mut Hub<'_>) {
        let message = self.message;
        let Value::Object(members) = data else {
            let data = [("value", data.clone())].into();
            return hub.emit(&Step::whole(message, part, Payload::Data(&data)));
        };
        let words = |name: &str| {
            data.get(name).map(|value| value.as_str().map_or_else(|| value.to_json(), ToOwned::to_owned))
        };
        let rest = |known: &[&str]| -> Vec<Member> {
            members.iter().filter(|member| !known.contains(&member.key.as_str())).cloned().collect()
        };
        match (self.kind(), text(data, "call_id")) {
            (MessageKind::Call(_), Some(id)) => {
                let more = rest(&["call_id", "name", "arguments", "input", "incomplete"]);
                let name = text(data, "name").unwrap_or_default();
                let input = if text(data, "input") == Some("text") { Input::Text } else { Input::Json };
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
                name: text(data, "name"),
                output: &words("output").unwrap_or_default(),
                content: data.get("content").filter(|content| matches!(content, Value::Array(_))),
                preview: data.get("preview") == Some(&Value::Bool(true)),
                more: &rest(&["call_id", "name", "output", "content", "preview"]),
            }),
            (MessageKind::Interrupt, _) if text(data, "id").is_some() => {
                let payload =
                    data.get("payload").cloned().unwrap_or_else(|| Value::Object(rest(&["id", "reason"])));
                let id = text(data, "id").unwrap_or_default();
                hub.emit(&Step::interrupt(message, part, id, text(data, "reason"), &payload));
            }
            (MessageKind::Answer, _) => hub.emit(&Step::Answer {
                message,
                part,
                id: text(data, "id").or(text(data, "approval_request_id")).unwrap_or_default(),
                approved: data.get("approved").or(data.get("approve")).and_then(Value::as_bool),
                reason: text(data, "reason"),
                payload: data.get("payload").unwrap_or(&Value::Null),
            }),
            _ => hub.emit(&Step::whole(message, part, Payload::Data(data))),
        }
    }
}

impl Held {
    /// A part that has not been said. Texts in a row are one where their metadata are alike.
    fn of(mut part: Value) -> Self {
        let said = text(&part, "text").map(ToOwned::to_owned);
        if said.is_some() {
            part = part.get("metadata").cloned().unwrap_or_default();
        }
        Held { number: 0, what: part, text: said }
    }
}
