//! The conversion of parts of artifacts and messages to steps. (2.4.)

use super::artifact::Artifact;
use crate::hub::media::{audio_format, data_url};
use crate::hub::{Hub, Input, MediaKind, MessageKind, Payload, Step};
use crate::json::Value;

impl Artifact {
    fn kind(&self) -> MessageKind<'_> {
        MessageKind::from(self.kind.as_deref().unwrap_or("message"))
    }

    pub(super) fn speak(&self, part: u32, what: &Value, piece: &str, hub: &mut Hub<'_>) {
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
            MediaKind::Audio => Payload::Audio { data: raw.or(url), format: audio_format(media_type) },
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
                let input = if data.text("input") == Some("text") { Input::Text } else { Input::Json };
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
                let payload =
                    data.get("payload").cloned().unwrap_or_else(|| Value::Object(rest(&["id", "reason"])));
                let id = data.text("id").unwrap_or_default();
                hub.emit(&Step::interrupt(message, part, id, data.text("reason"), &payload));
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
