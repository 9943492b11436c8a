//! What the parts of artifacts and messages say. (2.4.)

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::artifact::Artifact;
use super::text;
use crate::hub::Payload;
use crate::hub::kind::MessageKind;
use crate::hub::step::{Input, Step};
use crate::hub::transducer::Hub;
use crate::json::{Member, Value};

impl Artifact {
    fn kind(&self) -> MessageKind<'_> {
        MessageKind::from(self.kind.as_deref().unwrap_or("message"))
    }

    pub(super) fn speak(&self, part: u32, what: &Value, piece: &str, hub: &mut Hub<'_>) {
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
    pub(super) fn whole(&self, part: u32, what: &Value, hub: &mut Hub<'_>) {
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
