//! Building streams. Each method that creates an event returns its text on the wire: framed, ready
//! to be sent.

use crate::core::id::Counter;
use crate::core::sink::FieldValue;
use crate::emit::Writer;
use crate::json::{Member, Raw, Value};
use crate::protocols::agent_api::builder::{
    BuilderOptions, ContentBuilder, MessageBuilder, PartOrder, ResponseBuilder,
};
use crate::protocols::agent_api::request::InputMessage;
use crate::protocols::agent_api::{ContentType, ErrorInfo, Message, Payload, RunStatus, Style};
use crate::wasm::exchange::grow_ahead;
use crate::wasm::forward::{RawForwarding, RunOutput};
use crate::wasm::framed::thrown;
use crate::wasm::framed::{Framed, HostIds, all, framed, free};
use alloc::borrow::ToOwned;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Builds a response.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawResponseBuilder {
    builder: ResponseBuilder,
    /// Writes the steps of answers that are passed on.
    forwarded: Option<Rc<RefCell<Writer>>>,
}

#[wasm_bindgen]
impl RawResponseBuilder {
    /// `options` is JSON: `sessionId`, `responseId`, `style`, `numbering`, `partOrder`,
    /// `nullOutput`, `completedOnly`, `ids`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<RawResponseBuilder, JsValue> {
        grow_ahead();
        Ok(RawResponseBuilder {
            builder: ResponseBuilder::new(self::options(options)?),
            forwarded: None,
        })
    }

    /// Returns the event that sets the status of the response. For `incomplete`, the code of the
    /// error is the reason.
    pub fn announce(&self, status: &str, code: Option<String>, message: Option<String>) -> Framed {
        framed(match RunStatus::from(status) {
            RunStatus::Created => self.builder.created(),
            RunStatus::Queued => self.builder.queued(),
            RunStatus::InProgress => self.builder.in_progress(),
            RunStatus::Completed => self.builder.completed(),
            RunStatus::Failed => {
                self.builder.failed(error(code, message).ok_or_else(|| missing("error"))?)
            }
            RunStatus::Canceled => self.builder.canceled(),
            RunStatus::Rejected => self.builder.rejected(error(code, message)),
            _ => self.builder.incomplete(code.as_deref()),
        })
    }

    #[wasm_bindgen(js_name = finishWith)]
    pub fn finish_with(
        &self,
        status: &str,
        code: Option<String>,
        message: Option<String>,
    ) -> String {
        all(&self.builder.finish_with(RunStatus::from(status), error(code, message)))
    }

    #[wasm_bindgen(js_name = finishIncomplete)]
    pub fn finish_incomplete(&self, reason: &str) -> String {
        all(&self.builder.finish_incomplete(reason))
    }

    pub fn reset(&mut self) -> Result<(), JsValue> {
        self.forwarded = None;
        Ok(self.builder.reset()?)
    }

    /// Starts passing an answer on to the client of this response.
    pub fn forward(
        &mut self,
        from: usize,
        settings: &str,
        origin: &str,
        seed: u64,
    ) -> Result<RawForwarding, JsValue> {
        let writer = || Rc::new(RefCell::new(Writer::continuing(self.builder.clone())));
        let writer = Rc::clone(self.forwarded.get_or_insert_with(writer));
        RawForwarding::new(RunOutput::Builder(writer), from, settings, origin, seed)
    }

    /// Returns the losses of the answers that were passed on, as a JSON list. The text is empty if no
    /// answer was passed on.
    pub fn losses(&self) -> String {
        self.forwarded.as_ref().map(|writer| writer.borrow().losses().to_json()).unwrap_or_default()
    }

    /// Sets the result of the run and the ids of the calls that wait for the client, each as JSON,
    /// for the last event.
    #[wasm_bindgen(js_name = setOutcome)]
    pub fn set_outcome(
        &self,
        result: Option<String>,
        pending: Option<String>,
    ) -> Result<(), JsValue> {
        let value = |json: Option<String>| json.map(|json| free(&json)).transpose();
        Ok(self.builder.set_outcome(value(result)?, value(pending)?)?)
    }

    #[wasm_bindgen(js_name = createMessageBuilder)]
    pub fn create_message_builder(
        &self,
        role: &str,
        kind: &str,
    ) -> Result<RawMessageBuilder, JsValue> {
        Ok(RawMessageBuilder(self.builder.create_message_builder(role, kind)?))
    }

    #[wasm_bindgen(js_name = addMessage)]
    pub fn add_message(&self, json: &str) -> Framed {
        Ok(all(&self.builder.add_message(message(json)?)?))
    }

    #[wasm_bindgen(js_name = updateMessage)]
    pub fn update_message(&self, json: &str) -> Framed {
        Ok(all(&self.builder.update_message(message(json)?)?))
    }

    #[wasm_bindgen(js_name = setUsage)]
    pub fn set_usage(&self, json: &str) -> Result<(), JsValue> {
        Ok(self.builder.set_usage(free(json)?)?)
    }

    #[wasm_bindgen(js_name = generateStreamingResponse)]
    pub fn generate_streaming_response(&self, tokens: Vec<String>, role: &str) -> Framed {
        Ok(all(&self.builder.generate_streaming_response(tokens, role)?))
    }

    /// Returns the current response as JSON.
    #[wasm_bindgen(js_name = getResponseData)]
    pub fn get_response_data(&self) -> String {
        self.builder.get_response_data().to_json(Style::Wire)
    }

    pub fn id(&self) -> String {
        self.builder.id()
    }

    #[wasm_bindgen(js_name = isEnded)]
    pub fn is_ended(&self) -> bool {
        self.builder.is_ended()
    }
}

/// Builds a message.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawMessageBuilder(MessageBuilder);

#[wasm_bindgen]
impl RawMessageBuilder {
    /// Returns the event that sets the status of the message: its start or its end.
    pub fn announce(&self, status: &str, code: Option<String>, message: Option<String>) -> Framed {
        let error = error(code, message);
        framed(match RunStatus::from(status) {
            RunStatus::InProgress => self.0.in_progress(),
            RunStatus::Completed => self.0.complete(),
            RunStatus::Failed => self.0.failed(error.ok_or_else(|| missing("error"))?),
            RunStatus::Canceled => self.0.canceled(),
            RunStatus::Rejected => self.0.rejected(error),
            _ => self.0.incomplete(),
        })
    }

    #[wasm_bindgen(js_name = createContentBuilder)]
    pub fn create_content_builder(
        &self,
        kind: &str,
        index: Option<u32>,
    ) -> Result<RawContentBuilder, JsValue> {
        let builder = match index {
            Some(index) => self.0.create_content_builder_at(kind, index)?,
            None => self.0.create_content_builder(kind)?,
        };
        Ok(RawContentBuilder(builder))
    }

    /// Adds a complete content; its members are in the order of the protocol, data as JSON.
    #[wasm_bindgen(js_name = addContent)]
    pub fn add_content(
        &self,
        r#type: &str,
        first: Option<String>,
        second: Option<String>,
        third: Option<String>,
        fourth: Option<String>,
    ) -> Framed {
        framed(self.0.add_content(payload(r#type, [first, second, third, fourth])?))
    }

    #[wasm_bindgen(js_name = finishWith)]
    pub fn finish_with(
        &self,
        status: &str,
        code: Option<String>,
        message: Option<String>,
    ) -> String {
        all(&self.0.finish_with(RunStatus::from(status), error(code, message)))
    }

    #[wasm_bindgen(js_name = setUsage)]
    pub fn set_usage(&self, json: &str) -> Result<(), JsValue> {
        Ok(self.0.set_usage(free(json)?)?)
    }

    #[wasm_bindgen(js_name = setMetadata)]
    pub fn set_metadata(&self, json: &str) -> Result<(), JsValue> {
        Ok(self.0.set_metadata(free(json)?)?)
    }

    #[wasm_bindgen(js_name = setError)]
    pub fn set_error(&self, code: String, message: String) -> Result<(), JsValue> {
        Ok(self.0.set_error(code, message)?)
    }

    /// Returns the current message as JSON.
    #[wasm_bindgen(js_name = getMessageData)]
    pub fn get_message_data(&self) -> String {
        self.0.get_message_data().to_json(Style::Wire)
    }

    pub fn id(&self) -> String {
        self.0.id().to_owned()
    }
}

/// Builds a content.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawContentBuilder(ContentBuilder);

#[wasm_bindgen]
impl RawContentBuilder {
    /// Returns the common part of the lines of consecutive text or refusal pieces, which JavaScript
    /// then writes by itself.
    #[wasm_bindgen(js_name = pieceTemplate)]
    pub fn piece_template(&self, kind: &str) -> Framed {
        Ok(self.0.piece_template(kind)?)
    }

    /// Records the pieces that JavaScript has written since then: their joined text and their
    /// number.
    #[wasm_bindgen(js_name = addWritten)]
    pub fn add_written(&self, pieces: &str, count: u32) -> Result<(), JsValue> {
        Ok(self.0.add_written(pieces, count)?)
    }

    #[wasm_bindgen(js_name = addDataDelta)]
    pub fn add_data_delta(&self, json: &str) -> Framed {
        framed(self.0.add_data_delta(free(json)?))
    }

    /// Sets the complete value so far; its members are in the order of the protocol, data as JSON.
    pub fn set(
        &self,
        r#type: &str,
        first: Option<String>,
        second: Option<String>,
        third: Option<String>,
        fourth: Option<String>,
    ) -> Framed {
        framed(self.0.set_payload(payload(r#type, [first, second, third, fourth])?))
    }

    #[wasm_bindgen(js_name = updateData)]
    pub fn update_data(&self, key: &str, json: &str) -> Framed {
        framed(self.0.update_data(key, free(json)?))
    }

    pub fn complete(&self) -> Framed {
        framed(self.0.complete())
    }

    /// Returns the current content as JSON.
    #[wasm_bindgen(js_name = getContentData)]
    pub fn get_content_data(&self) -> String {
        self.0.get_content_data().to_json(Style::Wire)
    }
}

/// Creates the error, if it has a code.
pub(super) fn error(code: Option<String>, message: Option<String>) -> Option<ErrorInfo> {
    Some(ErrorInfo::new(code?, message.unwrap_or_default()))
}

/// Creates the value of a content: its members in the order of the declaration, data as JSON. Only
/// a file may lack the first.
pub(super) fn payload(r#type: &str, members: [Option<String>; 4]) -> Result<Payload, JsValue> {
    let kind = ContentType::from(r#type);
    if members[0].is_none() && kind != ContentType::File {
        return Err(missing("value"));
    }
    let mut payload = Payload::empty(&kind);
    for (key, value) in kind.members().iter().zip(&members) {
        let (Some(member), Some(value)) = (payload.member(*key), value) else { continue };
        match kind {
            ContentType::Data => member.set(FieldValue::Json(Raw(&free(value)?.to_json()))),
            _ => member.set(FieldValue::Str(value)),
        }
    }
    Ok(payload)
}

/// Returns the error of a missing argument.
pub(super) fn missing(what: &str) -> JsValue {
    thrown("missing-argument", &["the ", what, " is missing"].concat())
}

/// Parses a message, which crosses as text.
pub(super) fn message(json: &str) -> Result<Message, JsValue> {
    let read = InputMessage::parse(json).map_err(|error| thrown("bad-message", &error.text()));
    Ok(read?.into())
}

/// Reads `sessionId`, `responseId`, `style`, `numbering`, `partOrder`, `nullOutput`,
/// `completedOnly`, `echo` and `ids`, all optional.
pub(in crate::wasm) fn options(json: &str) -> Result<BuilderOptions, JsValue> {
    let given = free(json)?;
    let mut options = match given.get("ids").map_or(Some("random"), Value::as_str) {
        Some("random") => BuilderOptions::new(HostIds, now),
        Some("numbered") => BuilderOptions::new(Counter::default(), now),
        _ => return Err(wrong("ids", "random or numbered")),
    };
    for Member { key, value } in given.members() {
        options = match (key.as_str(), value.as_str(), value) {
            ("sessionId", Some(id), _) => options.session_id(id),
            ("sessionId", ..) => return Err(wrong(key, "a string")),
            ("responseId", Some(id), _) => options.response_id(id),
            ("responseId", ..) => return Err(wrong(key, "a string")),
            ("style", Some("wire"), _) => options.style(Style::Wire),
            ("style", Some("compact"), _) => options.style(Style::Compact),
            ("style", ..) => return Err(wrong(key, "wire or compact")),
            ("partOrder", Some("index"), _) => options.part_order(PartOrder::Index),
            ("partOrder", Some("completion"), _) => options.part_order(PartOrder::Completion),
            ("partOrder", ..) => return Err(wrong(key, "index or completion")),
            ("numbering", _, Value::Bool(numbering)) => options.numbering(*numbering),
            ("numbering", ..) => return Err(wrong(key, "true or false")),
            ("nullOutput", _, Value::Bool(null_output)) => options.null_output(*null_output),
            ("nullOutput", ..) => return Err(wrong(key, "true or false")),
            ("completedOnly", _, Value::Bool(completed_only)) => {
                options.completed_only(*completed_only)
            }
            ("completedOnly", ..) => return Err(wrong(key, "true or false")),
            ("echo", _, echo @ Value::Object(_)) => options.echo(echo.clone()),
            ("echo", ..) => return Err(wrong(key, "an object")),
            _ => options,
        };
    }
    Ok(options)
}

fn wrong(name: &str, expected: &str) -> JsValue {
    thrown("wrong-option", &["option `", name, "` is ", expected].concat())
}

/// Returns the time in seconds since 1970.
pub(in crate::wasm) fn now() -> i64 {
    (js_sys::Date::now() / 1000.0) as i64
}
