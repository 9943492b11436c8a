//! The request itself.

use alloc::collections::BTreeMap;
use alloc::{borrow::Cow, string::String, vec, vec::Vec};

use super::error::RequestError;
use super::message::{InputContent, InputMessage, ToolEntry};
use crate::core::request::decision::decision;
use crate::core::request::{self, Fault, Problem};
use crate::core::{IdSource, Limits, requests};
use crate::json::Value;
use crate::protocols::agent_api::{MessageType, Payload, Role, Style, ToolFamily, ToolSide};

requests! {
    objects {
        /// The request of a client to an agent. (Spec 1.2, `AgentRequest`.)
        ///
        /// Absent and null are equivalent unless noted otherwise.
        AgentRequest as "AgentRequest" of "AgentRequest" {
            /// The messages of the conversation, the newest last.
            input: Vec<InputMessage>,
            /// Whether the response is a stream. `/process` ignores it and always streams. (R40.)
            /// True when absent; null is not accepted.
            stream: bool [Default] = true,
            /// The id of the response. (R40.)
            id: Option<String>,
            /// The model to use.
            model: Option<String>,
            /// The probability mass for nucleus sampling.
            top_p: Option<f64>,
            /// The sampling temperature.
            temperature: Option<f64>,
            /// The penalty for tokens by their frequency in the output.
            frequency_penalty: Option<f64>,
            /// The penalty for tokens that are already in the output.
            presence_penalty: Option<f64>,
            /// The maximum number of output tokens.
            max_tokens: Option<i64>,
            /// The strings that end the output.
            stop: Option<Stop>,
            /// The number of outputs, 1 to 5. Absent means 1; with null the server decides.
            n: Option<i64> [Default, Within(1, 5)] = Some(1),
            /// The seed for reproducible output.
            seed: Option<i64>,
            /// The tools that the agent can call.
            tools: Option<Vec<ToolEntry>>,
            /// The id of the conversation. Always send it: concurrent requests without it collide.
            /// (R39.)
            session_id: Option<String>,
            /// The id of the user; the session id when absent. Always send it. (R39.)
            user_id: Option<String>,
            .. extra
        }
    }
    alternatives {
        /// One string that ends the output, or several.
        Stop as "Stop" {
            /// A string.
            One(String) = "str",
            /// A list of strings.
            Many(Vec<String>) = "list[str]",
        }
    }
}

impl AgentRequest {
    /// Creates a request with this conversation and no other member.
    pub fn new(input: Vec<InputMessage>) -> Self {
        AgentRequest { input, ..Self::empty() }
    }

    /// Gives a request without a session a new one, as the runtime's runner does: callers without a
    /// session must not share a conversation (R39). An empty id is treated as absent.
    pub fn ensure_session(&mut self, ids: &mut dyn IdSource) {
        if self.session_id.as_deref().unwrap_or_default().is_empty() {
            self.session_id = Some(ids.next_id(""));
        }
    }

    /// Reads the body of a request as the runtime does, within the default [`Limits`].
    pub fn parse(json: &str) -> Result<Self, RequestError> {
        Self::parse_within(json, &Limits::default())
    }

    /// Reads the body of a request within `limits`, of which only `event_bytes` and `json_depth`
    /// apply.
    pub fn parse_within(json: &str, limits: &Limits) -> Result<Self, RequestError> {
        let rejected = |problem| RequestError::new("AgentRequest", vec![problem]);
        Self::from_value(request::json_within(json, limits).map_err(rejected)?)
    }

    /// Reads a request from parsed JSON.
    pub fn from_value(value: Value) -> Result<Self, RequestError> {
        if !matches!(value, Value::Object(_)) {
            let problem = Problem::new(vec!["body".into()], Fault::DictType, &value);
            return Err(RequestError::new("AgentRequest", vec![problem]));
        }
        request::read(value, None).map_err(|problems| RequestError::new("AgentRequest", problems))
    }

    /// Returns the request as JSON.
    ///
    /// [`Style::Wire`] writes every declared member, null when unset. Members for which the runtime does not accept
    /// null are written with their default; the `id` of a message has no default and is omitted.
    /// [`Style::Compact`] omits unset members; this is the form that clients send.
    pub fn to_json(&self, style: Style) -> String {
        request::to_json(self, style == Style::Compact)
    }

    /// Reports the problems that a client should fix before it sends the request. Empty for a valid
    /// request.
    ///
    /// - Roles, content types and the shapes of free members, because one mistake fails the whole
    ///   request (R38).
    /// - `session_id` and `user_id`, because requests without them collide (R39): codes
    ///   `session_id_missing` and
    ///   `user_id_missing`.
    /// - Tools that the runtime accepts but cannot interpret (R41): code `tool_not_understood`;
    ///   parameters with a
    ///   `type` other than `object`, which the runtime documents but does not check: code `literal_error`.
    /// - `n` from 1 to 5, and numbers that JSON can hold.
    pub fn validate(&self) -> Vec<Problem> {
        let mut problems = request::check(self, None);
        let ids = [
            ("session_id", &self.session_id, Fault::NoSession),
            ("user_id", &self.user_id, Fault::NoUser),
        ];
        for (name, id, fault) in ids {
            if id.as_deref().unwrap_or_default().is_empty() {
                problems.push(Problem::new(vec![name.into()], fault, &Value::Null));
            }
        }
        problems
    }

    /// Returns the id that the client requests for the response: `id`, or `response_id`, its name
    /// before 1.0.
    pub fn response_id(&self) -> Option<&str> {
        let old = || self.extra.iter().find(|m| m.key == "response_id");
        match &self.id {
            Some(id) => Some(id),
            None => old().and_then(|member| member.value.as_str()),
        }
    }
}

/// An answer of a client: the result of one of its tools, or a decision of its user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RequestAnswer<'a> {
    /// The result of a tool call.
    #[non_exhaustive]
    Call {
        /// The call's id; empty if the request does not contain it.
        id: &'a str,
        /// The name of the tool, if the request contains it: with the result, or with its call.
        name: Option<&'a str>,
        /// The result of the tool, as text; often JSON.
        output: Cow<'a, str>,
    },
    /// The decision on a question.
    #[non_exhaustive]
    Approval {
        /// The question's id; empty if the request does not contain it.
        id: &'a str,
        /// Whether the user approved. False for an answer other than yes and for an answer that
        /// contradicts itself.
        approved: bool,
        /// Further data of the answer: any JSON.
        payload: Option<&'a Value>,
    },
}

impl AgentRequest {
    /// Returns the latest text of the user: all texts of the user's last message, concatenated.
    /// Empty without a message of the user.
    ///
    /// ```
    /// use agentwire::agent_api::request::{AgentRequest, InputMessage};
    ///
    /// let request = AgentRequest::new(vec![InputMessage::user("hi")]);
    /// assert_eq!(request.user_text(), "hi");
    /// ```
    pub fn user_text(&self) -> String {
        let of_user = |message: &&InputMessage| {
            message.r#type == MessageType::Message
                && matches!(message.role, None | Some(Role::User))
        };
        let message = self.input.iter().rev().find(of_user);
        message.into_iter().flat_map(contents).filter_map(text).collect()
    }

    /// Returns the answers of the client in this request, in order: results of its tools, and
    /// decisions on questions. Only answers after the last message of the agent count, so a request
    /// with the whole conversation yields the answers to the last turn.
    pub fn answers(&self) -> Vec<RequestAnswer<'_>> {
        let (mut answers, mut names) = (Vec::new(), BTreeMap::new());
        for message in &self.input {
            match message.r#type.tool() {
                Some((family, ToolSide::Output)) => {
                    let of = |part| answer(part, family, &names);
                    answers.extend(contents(message).filter_map(of));
                }
                Some((_, ToolSide::Call)) => {
                    answers.clear();
                    names.extend(contents(message).filter_map(called));
                }
                None if message.role == Some(Role::Assistant) => answers.clear(),
                None => {}
            }
        }
        answers
    }
}

/// Returns the id of a call, and the name of its tool.
fn called(part: &InputContent) -> Option<(&str, &str)> {
    let Payload::Data { data: Some(data) } = &part.payload else { return None };
    data.text("call_id").zip(data.text("name"))
}

fn contents(message: &InputMessage) -> impl Iterator<Item = &InputContent> {
    message.content.iter().flatten()
}

fn text(part: &InputContent) -> Option<&str> {
    match &part.payload {
        Payload::Text { text } => text.as_deref(),
        _ => None,
    }
}

fn answer<'a>(
    part: &'a InputContent,
    family: ToolFamily,
    names: &BTreeMap<&'a str, &'a str>,
) -> Option<RequestAnswer<'a>> {
    let Payload::Data { data: Some(data) } = &part.payload else { return None };
    Some(if family == ToolFamily::McpApproval {
        RequestAnswer::Approval {
            id: data.text("approval_request_id").unwrap_or_default(),
            approved: decision(data) == Some(true),
            payload: data.get("payload").filter(|payload| !payload.is_null()),
        }
    } else {
        RequestAnswer::Call {
            id: data.text("call_id").unwrap_or_default(),
            name: data
                .text("name")
                .filter(|name| !name.is_empty())
                .or_else(|| data.text("call_id").and_then(|id| names.get(id).copied())),
            output: data.get("output").map(Value::to_text).unwrap_or_default(),
        }
    })
}
