//! The declaration of the body of `POST /runs`. (C.1, E1.)

use alloc::{string::String, vec::Vec};

use crate::core::request::{self, BODY, Diagnostics, Fault, Problem};
use crate::core::{Limits, requests};
use crate::json::{Member, Value};
use crate::protocols::runs::problem::{Code, RefusedRequest};

/// The maximum length of a run's id, in characters.
pub(super) const RUN_ID: usize = 128;
/// The maximum number of messages of a request.
const MESSAGES: usize = 200;

requests! {
    objects {
        /// The request of a client to start a run: AG-UI's `RunAgentInput` with restrictions.
        /// (C.1.)
        RunInput as "RunInput" with check_run {
            /// The id of the conversation: a UUID. The client generates it for a new conversation.
            thread_id as "threadId": String [Alias("thread_id")],
            /// The id of the run, which the client generates: 1 to 128 characters. The same id with
            /// the same body is the same run.
            run_id as "runId": String [Alias("run_id")],
            /// The new messages, at most 200: one message of the user, or no message of the user if
            /// tool results or `resume` continue the previous run. The service keeps the earlier
            /// messages.
            messages: Vec<InputMessage>,
            /// The mode of the run, and other settings of the service.
            forwarded_props as "forwardedProps": ForwardedProps [Alias("forwarded_props")],
            /// The shared state.
            state: Option<Value>,
            /// The tools of the client, as in AG-UI.
            tools: Vec<Value> [NullIsAbsent, OmitWhenEmpty],
            /// The context for the agent, as in AG-UI.
            context: Vec<Value> [NullIsAbsent, OmitWhenEmpty],
            /// The id of the previous run.
            parent_run_id as "parentRunId": Option<String> [Alias("parent_run_id")],
            /// The answers to interrupts, as in AG-UI.
            resume: Option<Value>,
        }
        /// The properties that the service accepts in addition to those of AG-UI. It rejects all
        /// others.
        ForwardedProps as "RunForwardedProps" with check_undeclared {
            /// The mode: a router and a worker (`chat`), or an agent that the service selects
            /// (`automation`).
            runtime_mode: String [OneOf(&["chat", "automation"])],
            /// The time of the client's clock.
            client_time: Option<ClientTime>,
            .. extra
        }
        /// The time of a client's clock.
        ClientTime as "RunClientTime" {
            /// The name of the client's time zone, for example `Asia/Shanghai`.
            device_timezone: Option<String>,
            /// The time in that zone, in ISO 8601 with an offset.
            client_now_iso: Option<String>,
            /// The time, in milliseconds since 1970.
            client_epoch_ms: Option<i64>,
        }
        /// Where an image is.
        ImageSource as "RunImageSource" with check_source {
            /// `url`: data is uploaded first.
            kind as "type": String [OneOf(&["url"])],
            /// The address that the upload has answered.
            value: String,
            /// The media type, for example `image/png`.
            mime_type as "mimeType": Option<String>,
        }
    }
    unions {
        /// A message, by its `role`.
        InputMessage as "RunInputMessage" by "role" {
            /// A message of the user.
            User = "user" {
                /// The id.
                id: String,
                /// Text, or parts.
                content: UserContent,
            }
            /// The result of a tool of the client.
            Tool = "tool" {
                /// The id.
                id: String,
                /// The result of the tool.
                content: String,
                /// The id of the call.
                tool_call_id as "toolCallId": String [Alias("tool_call_id")],
                /// The error.
                error: Option<String>,
            }
            /// A message of the agent.
            Assistant = "assistant" {
                /// The id.
                id: String,
                /// The text.
                content: Option<String>,
                /// The tool calls, as in AG-UI.
                tool_calls as "toolCalls": Vec<Value> [Alias("tool_calls"), NullIsAbsent, OmitWhenEmpty],
            }
            /// Instructions.
            System = "system" {
                /// The id.
                id: String,
                /// The text.
                content: String,
            }
            /// Instructions.
            Developer = "developer" {
                /// The id.
                id: String,
                /// The text.
                content: String,
            }
        }
        /// A part of a message of the user, by its `type`.
        InputPart as "RunInputPart" by "type" with check_part {
            /// Text.
            Text = "text" {
                /// The text.
                text: String,
            }
            /// An image that was uploaded, as AG-UI had it before 1.0.
            Binary = "binary" {
                /// The media type, for example `image/png`.
                mime_type as "mimeType": String [Alias("mime_type")],
                /// The address that the upload has answered.
                url: Option<String>,
                /// Refused: data is uploaded first.
                data: Option<String>,
            }
            /// An image that was uploaded, as AG-UI 1.0 has it.
            Image = "image" {
                /// The source.
                source: ImageSource,
            }
        }
    }
    alternatives {
        /// The content of a message of the user: a string, or parts.
        UserContent as "RunUserContent" {
            /// Text.
            Text(String) = "str",
            /// Parts.
            Parts(Vec<InputPart>) = "list[part]",
        }
    }
}

impl RunInput {
    /// Parses the body of `POST /runs`. Returns [`Code::MessagesInvalid`] if all problems are in
    /// the messages, and
    /// [`Code::InputInvalid`] otherwise, with all problems.
    pub fn parse(json: &str) -> Result<Self, RefusedRequest> {
        Self::parse_within(json, &Limits::default())
    }

    /// Parses the body within limits, of which `event_bytes` and `json_depth` apply.
    pub fn parse_within(json: &str, limits: &Limits) -> Result<Self, RefusedRequest> {
        let value =
            request::json_within(json, limits).map_err(|problem| refusal(alloc::vec![problem]))?;
        let input: Self = request::read(value, BODY).map_err(refusal)?;
        let problems = input.validate();
        if problems.is_empty() { Ok(input) } else { Err(refusal(problems)) }
    }

    /// Returns the problems for which the service would refuse the request.
    pub fn validate(&self) -> Vec<Problem> {
        request::check(self, BODY)
    }

    /// Writes the request as JSON, without members that are not set. Refuses a request that the
    /// service would refuse (E1).
    pub fn to_json(&self) -> Result<String, RefusedRequest> {
        let problems = self.validate();
        if problems.is_empty() { Ok(request::to_json(self, true)) } else { Err(refusal(problems)) }
    }

    /// Returns the id and the content of the message of the user.
    pub fn user_message(&self) -> Option<(&str, &UserContent)> {
        self.messages.iter().find_map(|message| match message {
            InputMessage::User { id, content } => Some((id.as_str(), content)),
            _ => None,
        })
    }

    /// Returns whether the request answers calls or interrupts of the previous run.
    pub(crate) fn continues(&self) -> bool {
        let is_tool = |message: &InputMessage| matches!(message, InputMessage::Tool { .. });
        let resumes = matches!(&self.resume, Some(Value::Array(entries)) if !entries.is_empty());
        resumes || self.messages.iter().any(is_tool)
    }

    fn check_run(&self, diagnostics: &mut Diagnostics) {
        if !is_uuid(&self.thread_id) {
            let fault = Fault::Other("uuid_parsing", "Input should be a valid UUID");
            diagnostics.note_member("threadId", fault, &self.thread_id.as_str().into());
        }
        if let Some(fault) = run_id_fault(&self.run_id) {
            diagnostics.note_member("runId", fault, &self.run_id.as_str().into());
        }
        if self.messages.len() > MESSAGES {
            let fault = Fault::Other("too_long", "There should be at most 200 messages");
            diagnostics.note_member("messages", fault, &(self.messages.len() as i64).into());
        }
        let is_user = |message: &&InputMessage| matches!(message, InputMessage::User { .. });
        let users = self.messages.iter().filter(is_user).count();
        if users > 1 || (users == 0 && !self.continues()) {
            let fault = Fault::Other(
                "one_user_message",
                "There should be one message of the user, or none beside a tool's result or `resume`",
            );
            diagnostics.note_member("messages", fault, &(users as i64).into());
        }
    }
}

/// Returns the fault of a run's id, if it is invalid.
pub(super) fn run_id_fault(id: &str) -> Option<Fault> {
    match id.chars().take(RUN_ID + 1).count() {
        0 => Some(Fault::Other("string_too_short", "Input should have at least 1 character")),
        length if length > RUN_ID => {
            Some(Fault::Other("string_too_long", "Input should have at most 128 characters"))
        }
        _ if id.chars().any(char::is_control) => {
            Some(Fault::Other("string_pattern_mismatch", "Input should have no control characters"))
        }
        _ => None,
    }
}

/// Returns whether the text is a UUID in the usual notation, of any version.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn refusal(problems: Vec<Problem>) -> RefusedRequest {
    let is_of_messages = |problem: &Problem| {
        let path = problem.path();
        path == "body.messages" || path.starts_with("body.messages.")
    };
    let all = !problems.is_empty() && problems.iter().all(is_of_messages);
    RefusedRequest::of(if all { Code::MessagesInvalid } else { Code::InputInvalid }, problems)
}

impl ForwardedProps {
    fn check_undeclared(&self, diagnostics: &mut Diagnostics) {
        for Member { key, value } in &self.extra {
            let fault = Fault::Other("extra_forbidden", "Extra inputs are not permitted");
            diagnostics.note_undeclared(key, fault, value);
        }
    }
}

impl ImageSource {
    fn check_source(&self, diagnostics: &mut Diagnostics) {
        if let Some(kind) = self.mime_type.as_deref().filter(|kind| !is_image(kind)) {
            diagnostics.note_member("mimeType", NO_IMAGE, &kind.into());
        }
        if !is_address(&self.value) {
            diagnostics.note_member("value", NO_ADDRESS, &self.value.as_str().into());
        }
    }
}

const NO_IMAGE: Fault = Fault::Other("mime_type", "Input should be the type of an image");
const NO_ADDRESS: Fault =
    Fault::Other("url_parsing", "Input should be the address of an uploaded image");

impl InputPart {
    fn check_part(&self, diagnostics: &mut Diagnostics) {
        let InputPart::Binary { mime_type, url, data } = self else { return };
        if !is_image(mime_type) {
            diagnostics.note_member("mimeType", NO_IMAGE, &mime_type.as_str().into());
        }
        if let Some(data) = data {
            let fault =
                Fault::Other("data_forbidden", "Data should be uploaded, and its address be given");
            diagnostics.note_member("data", fault, &request::python::shorten(data).into());
        }
        if !url.as_deref().is_some_and(is_address) {
            diagnostics.note_member(
                "url",
                NO_ADDRESS,
                &url.as_deref().map_or(Value::Null, Value::from),
            );
        }
    }
}

fn is_image(kind: &str) -> bool {
    kind.strip_prefix("image/").is_some_and(|rest| !rest.is_empty())
}

/// Returns whether the text can be the address of an uploaded file; data is not accepted.
fn is_address(url: &str) -> bool {
    url.starts_with("https://")
        || url.starts_with("http://")
        || (url.starts_with('/') && !url.starts_with("//"))
}
