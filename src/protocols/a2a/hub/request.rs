//! Requests in both directions. (2.4.)
//!
//! A message of A2A contains only the new input of a conversation. A message to a task that waits is the answer to its
//! question: data or a text that approves or declines.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::target::{data_part, media_part, result_part};
use crate::hub::payload::{audio_format, of_data_url};
use crate::hub::request::{self as hub, HubRequest, RequestMessage, RequestPart};
use crate::hub::{Approval, Losses, MediaKind, MessageKind, Payload, Role, given};
use crate::json::{Member, Value};
use crate::protocols::a2a::request::dialect::{is_interrupted, state};
use crate::protocols::a2a::request::{Message, Part, SendMessageRequest};

/// The member with the id of the question that a part of data answers.
const ANSWERS: &str = "approval_request_id";

impl SendMessageRequest {
    /// Takes the message as an answer if its task waits for one: the first text or data of the message answers the
    /// first question of the task, unless a part has the id of a question. `task` has the form of 1.0.
    pub fn answering(&mut self, task: &Value) {
        let message = task.get("status").and_then(|status| status.get("message"));
        let parts = message.and_then(|message| message.get("parts")).filter(|_| is_interrupted(state(task)));
        let Some(Value::Array(parts)) = parts else { return };
        let mut ids = parts.iter().filter_map(|part| part.get("data")?.get("id")?.as_str());
        let Some(id) = ids.next() else { return };
        let named = |part: &Part| part.data.as_ref().is_some_and(|data| data.get(ANSWERS).is_some());
        if self.message.parts.iter().any(named) {
            return;
        }
        let found = self.message.parts.iter_mut().find(|part| part.data.is_some() || part.text.is_some());
        if let Some(part) = found {
            let answer = part.data.take().or_else(|| part.text.take().map(word)).unwrap_or_default();
            *part = Part::data([(ANSWERS, id.into()), ("answer", answer)].into());
        }
    }
}

/// Normalizes the text of an approval to the form that the hub recognizes.
fn word(text: String) -> Value {
    text.trim().trim_end_matches(['.', '!']).to_lowercase().into()
}

impl HubRequest for SendMessageRequest {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let Message { message_id, context_id, task_id, role, parts, .. } = &self.message;
        let (mut message_parts, mut answers) = (Vec::new(), Vec::new());
        for part in parts {
            match part.data.as_ref().and_then(|data| Some((data, data.get(ANSWERS)?.as_str()?))) {
                Some((data, id)) if part.text.is_none() => {
                    let payload = data.get("answer").unwrap_or(data).clone();
                    answers.push(Approval::of(id, payload, losses));
                }
                _ => message_parts.extend(received(part)),
            }
        }
        let role = if role == "ROLE_AGENT" { Role::Assistant } else { Role::User };
        let mut request = hub::Request::default();
        if !message_parts.is_empty() {
            let id = Some(message_id.as_str()).filter(|id| !id.is_empty());
            request.messages.push(RequestMessage::new(MessageKind::Message, role, message_parts).with_id(id));
        }
        request.messages.extend(answers.into_iter().map(RequestMessage::answer));
        request.conversation = context_id.as_deref().filter(|id| !id.is_empty());
        let text = |text: &Option<String>| text.as_deref().filter(|text| !text.is_empty()).map(Value::from);
        request.parameters = given([("id", text(task_id)), ("metadata", self.metadata.clone())]);
        for (name, is_set) in [
            ("extensions", !self.message.extensions.is_empty()),
            ("referenceTaskIds", !self.message.reference_task_ids.is_empty()),
            ("metadata", self.message.metadata.is_some()),
        ] {
            if is_set {
                losses.note(
                    "message-members",
                    name,
                    "the agent receives the parts of the message and the metadata of the request only",
                );
            }
        }
        request
    }

    fn from_hub(mut request: hub::Request<'_>, losses: &mut Losses) -> Self {
        request.leave_history("A2A's servers keep the conversation: only what is new is sent", losses);
        let mut sent = SendMessageRequest::new(Message::user("", Vec::new()));
        sent.message.context_id = request.conversation.map(ToOwned::to_owned);
        for message in request.messages {
            if let Some(id) = message.id {
                sent.message.message_id = id.to_owned();
            }
            if matches!(message.role, Role::System | Role::Other(_)) {
                losses.note(
                    "role",
                    message.role.as_str(),
                    "A2A's clients are users: it became a message of the user",
                );
            }
            message.parts.into_iter().for_each(|part| sent.message.parts.extend(part_of(part, losses)));
        }
        for _ in request.tools {
            losses.note("tool", "tools", "A2A's agents have their own tools");
        }
        let mut metadata = Value::Null;
        for Member { key, value } in request.parameters {
            match (key.as_str(), value) {
                ("id", value) => sent.message.task_id = value.as_str().map(ToOwned::to_owned),
                ("metadata", Value::Object(members)) => {
                    members.into_iter().for_each(|member| metadata.insert(&member.key, member.value));
                }
                (_, value) => metadata.insert(&key, value),
            }
        }
        sent.metadata = Some(metadata).filter(|metadata| !metadata.is_null());
        sent
    }
}

/// Converts a part. If it has several contents, the first one is used, as in the official client (A12).
fn received(part: &Part) -> Option<RequestPart<'_>> {
    let r#type = part.media_type.as_deref().unwrap_or("");
    let name = part.filename.as_deref();
    Some(match part {
        Part { text: Some(text), .. } => RequestPart::Text(text),
        Part { raw: Some(raw), .. } => match MediaKind::of_type(r#type) {
            MediaKind::File => {
                RequestPart::Whole(Payload::File { url: None, id: None, name, data: Some(raw) })
            }
            kind => RequestPart::Inline { kind, media_type: r#type, data: raw },
        },
        Part { url: Some(url), .. } => RequestPart::Whole(match MediaKind::of_type(r#type) {
            MediaKind::Image => Payload::Image { url: Some(url) },
            MediaKind::Video => Payload::Video { url: Some(url) },
            MediaKind::Audio => Payload::Audio { data: Some(url), format: audio_format(r#type) },
            MediaKind::File => Payload::File { url: Some(url), id: None, name, data: None },
        }),
        Part { data: Some(data @ Value::Object(_)), .. } => RequestPart::Whole(Payload::Data(data)),
        Part { data: Some(_), .. } => RequestPart::Other("data"),
        _ => return None,
    })
}

fn part_of(part: RequestPart<'_>, losses: &mut Losses) -> Option<Part> {
    Some(match part {
        RequestPart::Text(text) => Part::text(text),
        RequestPart::Refusal(text) => {
            losses.note("refusal", "", "a part of A2A's messages is text, whatever it is for");
            Part::text(text)
        }
        RequestPart::Data(data) => data_part(data),
        RequestPart::Whole(payload) => match media_part(payload) {
            Some(part) => part,
            None => {
                losses.note("part", payload.name(), "A2A's files are bytes or an address, not an id");
                return None;
            }
        },
        RequestPart::Inline { media_type, data, .. } => {
            let data = of_data_url(data).map_or(data, |(_, data)| data);
            Part::file(Some(data.to_owned()), None, Some(media_type.to_owned()))
        }
        RequestPart::Result { id, name, output } => result_part((id, name), &output, None, false, &[]),
        RequestPart::Answer(answer) => {
            let id = answer.id.unwrap_or("");
            data_part([(ANSWERS, id.into()), ("answer", answer.into_payload(losses))].into())
        }
        // A call of the agent is not new input.
        RequestPart::Call { .. } => return None,
        RequestPart::Other(name) => {
            losses.note("part", name, "A2A's parts are text, files and data");
            return None;
        }
    })
}
