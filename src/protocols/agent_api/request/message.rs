//! Messages as they are sent to an agent.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::coerce;
use crate::core::request::Fault;
use crate::core::request::read::{self, Diagnostics, Fields};
use crate::json::{Member, Value};
use crate::protocols::agent_api::{ContentType, ErrorInfo, MessageType, Payload, Role, RunStatus};

/// One message of a request. (Spec 1.2, `Message`.)
///
/// Absent and null are the same, `None`, unless a member says otherwise.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[non_exhaustive]
pub struct InputMessage {
    /// Where a message that was streamed stood in its stream.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub sequence_number: Option<i64>,
    /// `"message"` when absent; any text is accepted. Null is not.
    #[cfg_attr(feature = "typescript", tsify(type = "string", optional))]
    pub object: Option<String>,
    /// `created` when absent. Null is not accepted.
    #[cfg_attr(feature = "typescript", tsify(type = "RunStatus", optional))]
    pub status: Option<RunStatus>,
    /// Why a message failed.
    #[cfg_attr(feature = "typescript", tsify(type = "ErrorInfo | null", optional))]
    pub error: Option<ErrorInfo>,
    /// The server makes an id when it is absent. Null is not accepted.
    #[cfg_attr(feature = "typescript", tsify(type = "string", optional))]
    pub id: Option<String>,
    /// What the message is; `message` when absent. Null is not accepted.
    #[cfg_attr(feature = "typescript", tsify(optional))]
    pub r#type: MessageType,
    /// Who it is from.
    #[cfg_attr(feature = "typescript", tsify(type = "Role | null", optional))]
    pub role: Option<Role>,
    /// Its parts.
    #[cfg_attr(feature = "typescript", tsify(type = "InputContent[] | null", optional))]
    pub content: Option<Vec<InputContent>>,
    /// Error code of a message of type error.
    #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
    pub code: Option<String>,
    /// Error text of a message of type error.
    #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
    pub message: Option<String>,
    /// Tokens used: an object.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown> | null", optional))]
    pub usage: Option<Value>,
    /// Free: an object.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown> | null", optional))]
    pub metadata: Option<Value>,
    /// Members the protocol does not declare, verbatim.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"), serde(flatten))]
    pub extra: Vec<Member>,
}

/// One part of a message of a request: a content with everything optional but its type. (Spec 1.2, `Content`.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[non_exhaustive]
pub struct InputContent {
    /// Where a content that was streamed stood in its stream.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub sequence_number: Option<i64>,
    /// `"content"` when absent; any text is accepted. Null is not.
    #[cfg_attr(feature = "typescript", tsify(type = "string", optional))]
    pub object: Option<String>,
    /// How far the part has come.
    #[cfg_attr(feature = "typescript", tsify(type = "RunStatus | null", optional))]
    pub status: Option<RunStatus>,
    /// Why it failed.
    #[cfg_attr(feature = "typescript", tsify(type = "ErrorInfo | null", optional))]
    pub error: Option<ErrorInfo>,
    /// Its place in the message; without one the place in the list counts.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub index: Option<i64>,
    /// Whether this is a piece of the part; false when absent, and null is different from false.
    #[cfg_attr(feature = "typescript", tsify(type = "boolean | null", optional))]
    pub delta: Option<bool>,
    /// The message it belongs to.
    #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
    pub msg_id: Option<String>,
    /// What it holds.
    #[cfg_attr(feature = "typescript", tsify(type = "InputPayload"), serde(flatten))]
    pub payload: Payload,
    /// Members the protocol does not declare, verbatim.
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"), serde(flatten))]
    pub extra: Vec<Member>,
}

impl InputMessage {
    /// A message of type `message` with these parts.
    pub fn new(role: Role, content: Vec<InputContent>) -> Self {
        InputMessage { role: Some(role), content: Some(content), ..Self::empty() }
    }

    /// What the user says.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![InputContent::text(text)])
    }

    fn empty() -> Self {
        InputMessage {
            sequence_number: None,
            object: None,
            status: None,
            error: None,
            id: None,
            r#type: MessageType::Message,
            role: None,
            content: None,
            code: None,
            message: None,
            usage: None,
            metadata: None,
            extra: Vec::new(),
        }
    }

    pub(super) fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let mut fields = Fields::open(value, &[], Fault::ModelType("Message"), diagnostics)?;
        let mut message = Self::empty();
        fields.fill("sequence_number", coerce::integer, &mut message.sequence_number);
        message.object = fields.defaulted("object", read::string);
        message.status = fields.defaulted("status", status);
        fields.fill("error", error, &mut message.error);
        message.id = fields.defaulted("id", read::string);
        if let Some(name) = fields.defaulted("type", read::string) {
            message.r#type = name.as_str().into();
        }
        fields.fill("role", role, &mut message.role);
        fields.fill("content", contents, &mut message.content);
        fields.fill("code", read::string, &mut message.code);
        fields.fill("message", read::string, &mut message.message);
        fields.fill("usage", read::object, &mut message.usage);
        fields.fill("metadata", read::object, &mut message.metadata);
        message.extra = fields.rest();
        Some(message)
    }
}

impl InputContent {
    /// A part that holds `payload`.
    pub fn new(payload: Payload) -> Self {
        InputContent {
            sequence_number: None,
            object: None,
            status: None,
            error: None,
            index: None,
            delta: Some(false),
            msg_id: None,
            payload,
            extra: Vec::new(),
        }
    }

    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        let text = Some(text.into());
        Self::new(Payload::Text { text })
    }

    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        if !matches!(value, Value::Object(_)) {
            return diagnostics.report(Fault::ModelAttributesType, value);
        }
        let kind = match value.get("type") {
            None => return diagnostics.report(Fault::NoTag, value),
            Some(tag) => tag.as_str().and_then(ContentType::known),
        };
        let Some(kind) = kind else {
            let tag = value.get("type").map(super::python::str);
            return diagnostics.report(Fault::Tag(tag.unwrap_or_default()), value);
        };
        let step = crate::core::request::PathStep::Name(kind.as_str().to_owned().into());
        diagnostics.inside(step, |diagnostics| Self::read_as(&kind, value, diagnostics))
    }

    fn read_as(kind: &ContentType, value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let mut fields = Fields::open(value, &[], Fault::ModelAttributesType, diagnostics)?;
        fields.take("type");
        let mut content = Self::new(Payload::empty(kind));
        fields.fill("sequence_number", coerce::integer, &mut content.sequence_number);
        content.object = fields.defaulted("object", read::string);
        fields.fill("status", status, &mut content.status);
        fields.fill("error", error, &mut content.error);
        fields.fill("index", coerce::integer, &mut content.index);
        content.delta = match fields.take("delta") {
            None => Some(false),
            Some(Value::Null) => None,
            Some(value) => fields.also("delta", value, coerce::boolean),
        };
        fields.fill("msg_id", read::string, &mut content.msg_id);
        payload(&mut content.payload, &mut fields);
        content.extra = fields.rest();
        Some(content)
    }
}

fn payload(payload: &mut Payload, fields: &mut Fields<'_>) {
    let mut text = |name, slot| fields.fill(name, read::string, slot);
    match payload {
        Payload::Text { text: slot } => text("text", slot),
        Payload::Image { image_url } => text("image_url", image_url),
        Payload::Data { data } => fields.fill("data", read::object, data),
        Payload::Audio { data, format } => {
            text("data", data);
            text("format", format);
        }
        Payload::Video { video_url } => text("video_url", video_url),
        Payload::File { file_url, file_id, filename, file_data } => {
            text("file_url", file_url);
            text("file_id", file_id);
            text("filename", filename);
            text("file_data", file_data);
        }
        Payload::Refusal { refusal } => text("refusal", refusal),
        Payload::Other { .. } => {}
    }
}

fn contents(value: Value, diagnostics: &mut Diagnostics) -> Option<Vec<InputContent>> {
    read::list(value, diagnostics, InputContent::read)
}

fn status(value: Value, diagnostics: &mut Diagnostics) -> Option<RunStatus> {
    read::string(value, diagnostics).map(|name| name.as_str().into())
}

fn role(value: Value, diagnostics: &mut Diagnostics) -> Option<Role> {
    match value.as_str().and_then(Role::known) {
        Some(role) => Some(role),
        None => diagnostics.report(Fault::Role, value),
    }
}

fn error(value: Value, diagnostics: &mut Diagnostics) -> Option<ErrorInfo> {
    let required = ["code", "message"];
    let mut fields = Fields::open(value, &required, Fault::ModelType("Error"), diagnostics)?;
    Some(ErrorInfo::new(fields.required("code", read::string), fields.required("message", read::string)))
}

/// What an agent said, as part of the history of the next request.
#[cfg(feature = "typescript")]
const _: () = {
    use wasm_bindgen::prelude::wasm_bindgen;
    #[wasm_bindgen(typescript_custom_section)]
    const TYPESCRIPT: &'static str = r#"
/** What a content of a request holds, by its `type`. */
export type InputPayload =
    | { type: "text"; text?: string | null }
    | { type: "image"; image_url?: string | null }
    | { type: "data"; data?: Record<string, unknown> | null }
    | { type: "audio"; data?: string | null; format?: string | null }
    | { type: "video"; video_url?: string | null }
    | {
          type: "file";
          file_url?: string | null;
          file_id?: string | null;
          filename?: string | null;
          file_data?: string | null;
      }
    | { type: "refusal"; refusal?: string | null };
"#;
};
