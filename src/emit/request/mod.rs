//! The request that an agent receives: the conversation, in one form for all protocols.

mod calls;
mod messages;
mod parts;

use std::string::String;
use std::vec::Vec;

pub use self::messages::{ConversationMessage, MessageRole};
pub use self::parts::{MessagePart, Question, ToolPart, ToolState};
use super::out::Out;
use crate::convert::{ConvertError, ProtocolRequest, RawRequest, convert_typed};
use crate::core::id::IdSource;
use crate::core::request::to_json;
use crate::hub::Losses;
use crate::json::{Member, Raw, Value};
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::Style;
#[cfg(all(feature = "axum", feature = "store"))]
use crate::protocols::agent_api::request::InputMessage;
use crate::protocols::agent_api::request::{AgentRequest, RequestAnswer, ToolEntry};

/// What a client asks of an agent, in one form for all protocols. It can be passed to
/// `call_model` and `run_tools`, which send a model all of it, also what has no method here, such as
/// the signatures of reasoning.
///
/// ```
/// use agentwire::agent_api::request::{AgentRequest, InputMessage};
/// use agentwire::emit::ConversationRequest;
///
/// let request = ConversationRequest::new(AgentRequest::new(vec![InputMessage::user("hi")]));
/// assert_eq!(request.text(), "hi");
/// assert!(request.answers().is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct ConversationRequest {
    request: AgentRequest,
    /// The request as it was received.
    received: Option<RawRequest>,
    user: Option<String>,
    losses: Losses,
    /// Whether it has messages that the client has not sent.
    has_earlier: bool,
}

/// A tool of the client, which the client runs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConversationTool {
    /// The name.
    pub name: String,
    /// The purpose, for the model; empty if the client has sent none.
    pub description: String,
    /// The JSON Schema of the arguments: an object.
    pub parameters: Value,
}

impl ConversationRequest {
    /// Creates a request from one of the Agent API.
    pub fn new(request: AgentRequest) -> Self {
        let losses = Losses::default();
        ConversationRequest { request, received: None, user: None, losses, has_earlier: false }
    }

    /// Creates a request from one of any protocol, for agents that [`emit`](super::emit) runs.
    /// `ids` creates the ids of messages and calls that have none.
    ///
    /// # Errors
    ///
    /// As of [`convert_typed`].
    pub fn of(
        request: &impl ProtocolRequest,
        ids: &mut dyn IdSource,
    ) -> Result<Self, ConvertError> {
        let mut losses = Losses::default();
        let asked = convert_typed(request, ids, &mut losses)?;
        Ok(ConversationRequest { losses, ..Self::new(asked) })
    }

    /// Sets the request as it was received.
    #[must_use]
    pub fn with_native(self, received: RawRequest) -> Self {
        ConversationRequest { received: Some(received), ..self }
    }

    /// Sets the user.
    #[must_use]
    pub fn with_user(self, user: Option<String>) -> Self {
        ConversationRequest { user, ..self }
    }

    /// Returns the id of the conversation; empty if the request has none. The client chooses it: do
    /// not use it as a credential.
    pub fn id(&self) -> &str {
        self.request.session_id.as_deref().unwrap_or_default()
    }

    /// Returns the messages, the newest last, with the calls of tools and their results as parts.
    /// They are made at each call.
    pub fn messages(&self) -> Vec<ConversationMessage> {
        messages::messages_in(&self.request.input)
    }

    /// Returns the text of the last message of the user; empty without one.
    pub fn text(&self) -> String {
        self.request.user_text()
    }

    /// Returns the results of tools and the decisions of the user that came after the last message
    /// of the agent, in order: the answers to what the agent asked last.
    pub fn answers(&self) -> Vec<RequestAnswer<'_>> {
        self.request.answers()
    }

    /// Returns the tools of the client. Tools that a provider runs are passed to models only.
    pub fn tools(&self) -> Vec<ConversationTool> {
        self.request.tools.iter().flatten().filter_map(function_of).collect()
    }

    /// Returns the settings of the answer, as far as the client has any: an object with `model`,
    /// `temperature` and other members of a request of the Agent API. `stream` is false if the
    /// client asks for a whole answer, and absent otherwise.
    pub fn settings(&self) -> Value {
        let AgentRequest {
            input: _,
            tools: _,
            session_id: _,
            user_id: _,
            id: _,
            stream,
            model,
            top_p,
            temperature,
            frequency_penalty,
            presence_penalty,
            max_tokens,
            stop,
            n,
            seed,
            extra,
        } = &self.request;
        let is_setting = |member: &&Member| member.key != STATE;
        let request = AgentRequest {
            stream: *stream,
            model: model.clone(),
            top_p: *top_p,
            temperature: *temperature,
            frequency_penalty: *frequency_penalty,
            presence_penalty: *presence_penalty,
            max_tokens: *max_tokens,
            stop: stop.clone(),
            n: *n,
            seed: *seed,
            extra: extra.iter().filter(is_setting).cloned().collect(),
            ..AgentRequest::new(Vec::new())
        };
        let mut settings = Value::from_raw(Raw(&request.to_json(Style::Compact)));
        if let Value::Object(members) = &mut settings {
            members.retain(|Member { key, .. }| match &**key {
                "input" => false,
                "stream" => !stream,
                "n" => *n != Some(1),
                _ => true,
            });
        }
        settings
    }

    /// Returns the name of the model in the settings.
    pub fn model(&self) -> Option<&str> {
        self.request.model.as_deref()
    }

    /// Returns the state that agent and client share, in AG-UI; `None` in other protocols.
    pub fn state(&self) -> Option<&Value> {
        let member = self.request.extra.iter().find(|member| member.key == STATE);
        member.map(|member| &member.value)
    }

    /// Returns the user of the request, whom the server has found out.
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// Returns the request as the client has sent it. `None` in A2A, whose message is one of a task,
    /// and if the request was made by [`new`](Self::new) or [`of`](Self::of).
    pub fn native(&self) -> Option<&RawRequest> {
        self.received.as_ref().filter(|received| received.protocol != ProtocolKind::A2a)
    }

    /// Takes the request as it was received, also that of A2A: for agents that pass it on instead
    /// of this one. The losses of this one are removed from those of the run. `None` if a store has
    /// put earlier messages before those of the client.
    pub fn take_received(&mut self, out: &Out) -> Option<RawRequest> {
        let received = self.received.take().filter(|_| !self.has_earlier);
        if received.is_some() {
            out.forget_losses();
        }
        received
    }

    /// Returns what of the client's request has no place here.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Replaces the messages by those that `begin` returns for them, with whether earlier ones are
    /// left out.
    #[cfg(all(feature = "axum", feature = "store"))]
    pub(crate) fn continue_with(&mut self, begin: impl FnOnce(Vec<Value>) -> (Vec<Value>, bool)) {
        let value = |message: &InputMessage| Value::from_raw(Raw(&message.to_json(Style::Compact)));
        let own: Vec<Value> = self.request.input.iter().map(value).collect();
        let sent = own.len();
        let (all, is_cut) = begin(own);
        self.has_earlier = all.len() != sent;
        let message = |message: &Value| InputMessage::parse(&message.to_json()).ok();
        self.request.input = all.iter().filter_map(message).collect();
        if is_cut || self.request.input.len() != all.len() {
            let id = self.request.session_id.clone().unwrap_or_default();
            self.losses.lose_history(&id);
        }
    }

    #[cfg(feature = "axum")]
    pub(crate) fn losses_mut(&mut self) -> &mut Losses {
        &mut self.losses
    }

    /// Returns the request in the form of the Agent API, with all that has no method here.
    pub fn as_agent_request(&self) -> &AgentRequest {
        &self.request
    }

    /// Returns the request in the form of the Agent API, for changes.
    pub fn as_agent_request_mut(&mut self) -> &mut AgentRequest {
        &mut self.request
    }
}

/// The member of a request with the state that agent and client share.
const STATE: &str = "state";

/// Returns the function of a tool.
fn function_of(entry: &ToolEntry) -> Option<ConversationTool> {
    let tool = Value::from_raw(Raw(&to_json(entry, true)));
    let function = tool.get("function")?;
    let parameters = function.get("parameters").filter(|value| matches!(value, Value::Object(_)));
    Some(ConversationTool {
        name: function.text("name")?.into(),
        description: function.text("description").unwrap_or_default().into(),
        parameters: parameters.cloned().unwrap_or_else(|| Value::Object(Vec::new())),
    })
}

impl From<AgentRequest> for ConversationRequest {
    fn from(request: AgentRequest) -> Self {
        Self::new(request)
    }
}

impl From<ConversationRequest> for AgentRequest {
    fn from(request: ConversationRequest) -> Self {
        request.request
    }
}

/// As a request of the Agent API, which has all of it.
impl ProtocolRequest for ConversationRequest {
    fn protocol(&self) -> ProtocolKind {
        ProtocolKind::AgentApi
    }

    fn to_body(&self) -> String {
        self.request.to_json(Style::Compact)
    }
}
