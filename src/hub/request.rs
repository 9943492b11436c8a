//! Requests of all protocols, and their conversion.
//!
//! ```
//! use agentwire::ag_kit::request::SendMessageInput;
//! use agentwire::agent_api::request::AgentRequest;
//! use agentwire::hub::{Losses, request};
//!
//! let asked = AgentRequest::parse(
//!     r#"{"session_id": "c", "temperature": 0.5, "input": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}"#,
//! )?;
//! let mut losses = Losses::default();
//! let sent: SendMessageInput = request::convert(&asked, &mut losses);
//! assert_eq!(sent.to_json().unwrap(), r#"{"messages":[{"role":"user","content":"hi"}],"conversationId":"c"}"#);
//! assert_eq!(losses.iter().map(|loss| (loss.kind, &*loss.location)).collect::<Vec<_>>(), [("parameter", "temperature")]);
//!
//! let back: AgentRequest = request::convert(&sent, &mut losses);
//! assert_eq!(back.session_id.as_deref(), Some("c"));
//! assert_eq!(back.input, asked.input);
//! # Ok::<(), agentwire::agent_api::request::RequestError>(())
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::approval::Approval;
use super::kind::{MediaKind, MessageKind, Role, ToolKind};
use super::loss::Losses;
use super::payload::Payload;
use crate::core::request::object::Object;
use crate::core::request::{Diagnostics, FieldView, Typed};
use crate::json::{Member, Raw, Value};

/// A protocol's request, which can be converted to the request of another protocol.
pub trait HubRequest: Sized {
    /// Converts the request to the hub's request.
    fn to_hub(&self, losses: &mut Losses) -> Request<'_>;

    /// Creates the protocol's request. Information that it cannot represent is noted as a loss.
    fn from_hub(request: Request<'_>, losses: &mut Losses) -> Self;
}

/// Converts a request to another protocol. Information that the other protocol cannot represent is noted as a loss.
pub fn convert<A: HubRequest, B: HubRequest>(request: &A, losses: &mut Losses) -> B {
    let request = request.to_hub(losses);
    B::from_hub(request, losses)
}

/// A request to an agent.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The conversation that it belongs to.
    pub conversation: Option<&'a str>,
    /// The whole conversation or only the new messages; the newest message is the last one.
    pub messages: Vec<RequestMessage<'a>>,
    /// The tools that the agent may call.
    pub tools: Vec<Tool<'a>>,
    /// All other parameters: the id of the run, the model, and the protocol's own ones.
    pub parameters: Vec<Member>,
}

/// A message of a request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RequestMessage<'a> {
    /// The id, if the message has one.
    pub id: Option<&'a str>,
    /// The kind of the message.
    pub kind: MessageKind<'a>,
    /// The author.
    pub role: Role<'a>,
    /// The content.
    pub parts: Vec<RequestPart<'a>>,
}

/// A part of a message of a request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RequestPart<'a> {
    /// Text.
    Text(&'a str),
    /// The reason why the agent refused to answer.
    Refusal(&'a str),
    /// Media, a file, data.
    Whole(Payload<'a>),
    /// Data of the source in other members: an object.
    Data(Value),
    /// Media or a file with inline bytes.
    Inline {
        /// The kind of media.
        kind: MediaKind,
        /// The media type: `image/png`.
        media_type: &'a str,
        /// Base64.
        data: &'a str,
    },
    /// A tool call of the agent.
    Call {
        /// Its id.
        id: &'a str,
        /// The name of the tool.
        name: &'a str,
        /// JSON text.
        arguments: Cow<'a, str>,
    },
    /// The result of a tool.
    Result {
        /// The call's id.
        id: &'a str,
        /// The name of the tool, if the source gives it here.
        name: Option<&'a str>,
        /// Text, often JSON text.
        output: Cow<'a, str>,
    },
    /// The answer to a question.
    Answer(Approval<'a>),
    /// Any other part, by its name.
    Other(&'a str),
}

/// A tool that an agent may call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Tool<'a> {
    /// A function.
    Function {
        /// Its name.
        name: &'a str,
        /// Its description.
        description: &'a str,
        /// The JSON schema of its arguments.
        parameters: Value,
        /// Further members.
        more: Vec<Member>,
    },
    /// Anything else, as the source has it: an object.
    Other(Value),
}

impl<'a> Request<'a> {
    /// Returns the index of the first new message, for servers that keep the conversation: they already have the
    /// agent's last message and everything before it.
    pub fn first_new(&self) -> usize {
        self.messages.iter().rposition(RequestMessage::is_the_agents).map_or(0, |last| last + 1)
    }

    /// Removes a parameter and returns its value.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.parameters.iter().position(|member| member.key == name)?;
        Some(self.parameters.remove(at).value)
    }

    /// Removes the messages that are not new, for servers that keep the conversation.
    pub(crate) fn leave_history(&mut self, reason: &'static str, losses: &mut Losses) {
        let new = self.first_new();
        self.messages.drain(..new).for_each(|message| losses.note("history", message.place(), reason));
    }
}

impl<'a> Tool<'a> {
    /// Creates a function. Without a schema, its arguments are any object.
    pub(crate) fn function(
        name: &'a str,
        description: Option<&'a str>,
        schema: Option<&Value>,
        more: &[Member],
    ) -> Self {
        let parameters = schema.cloned().unwrap_or_else(|| Value::Object(Vec::new()));
        Tool::Function { name, description: description.unwrap_or_default(), parameters, more: more.to_vec() }
    }

    /// Converts the functions among tools by name, description and parameters, for protocols that have no other tools.
    /// Other tools and members are noted as losses.
    pub(crate) fn functions<T>(
        tools: Vec<Self>,
        reason: &'static str,
        losses: &mut Losses,
        make: fn(&'a str, &'a str, Value) -> T,
    ) -> Vec<T> {
        let function = |tool| match tool {
            Tool::Function { name, description, parameters, more } => {
                if !more.is_empty() {
                    losses.note("tool-members", name, reason);
                }
                Some(make(name, description, parameters))
            }
            Tool::Other(_) => {
                losses.note("tool", "tools", reason);
                None
            }
        };
        tools.into_iter().filter_map(function).collect()
    }
}

impl RequestPart<'_> {
    /// Returns the name of the part in losses.
    pub(crate) fn name(&self) -> &str {
        match self {
            RequestPart::Text(_) => "text",
            RequestPart::Refusal(_) => "refusal",
            RequestPart::Whole(payload) => payload.name(),
            RequestPart::Data(_) => "data",
            RequestPart::Inline { kind, .. } => kind.as_str(),
            RequestPart::Call { .. } => "call",
            RequestPart::Result { .. } => "result",
            RequestPart::Answer(_) => "approval",
            RequestPart::Other(name) => name,
        }
    }
}

impl<'a> RequestMessage<'a> {
    /// Creates a message without an id.
    pub fn new(kind: MessageKind<'a>, role: Role<'a>, parts: Vec<RequestPart<'a>>) -> Self {
        RequestMessage { id: None, kind, role, parts }
    }

    /// Returns the message with an id.
    pub(crate) fn with_id(self, id: Option<&'a str>) -> Self {
        RequestMessage { id, ..self }
    }

    /// Creates a message of one text.
    pub(crate) fn text(role: Role<'a>, text: &'a str) -> Self {
        Self::new(MessageKind::Message, role, vec![RequestPart::Text(text)])
    }

    /// Creates a message with a tool call of the agent.
    pub(crate) fn call(
        tool: ToolKind,
        id: &'a str,
        name: &'a str,
        arguments: impl Into<Cow<'a, str>>,
    ) -> Self {
        let call = RequestPart::Call { id, name, arguments: arguments.into() };
        Self::new(MessageKind::Call(tool), Role::Assistant, vec![call])
    }

    /// Creates a message with the result of a tool.
    pub(crate) fn result(tool: ToolKind, id: &'a str, output: impl Into<Cow<'a, str>>) -> Self {
        let result = RequestPart::Result { id, name: None, output: output.into() };
        Self::new(MessageKind::Result(tool), Role::Tool, vec![result])
    }

    /// Creates a message with the answer to a question.
    pub(crate) fn answer(answer: Approval<'a>) -> Self {
        Self::new(MessageKind::Answer, Role::User, vec![RequestPart::Answer(answer)])
    }

    /// Returns the location for losses: the id, or the kind of a message without an id.
    pub fn place(&self) -> &'a str {
        self.id.unwrap_or(self.kind.as_str())
    }

    fn is_the_agents(&self) -> bool {
        match self.kind {
            MessageKind::Call(_) | MessageKind::Interrupt | MessageKind::Reasoning => true,
            MessageKind::Result(_) | MessageKind::Answer => false,
            MessageKind::Message | MessageKind::Other(_) => self.role == Role::Assistant,
        }
    }
}

/// Returns the declared members of a request that are set, with their names. Members named in `without` are left out.
pub(crate) fn set_members<'o>(
    object: &'o dyn Object,
    without: &'o [&str],
) -> impl Iterator<Item = (&'static str, Value)> + use<'o> {
    let members = object.rows().iter().zip(object.fields());
    let set = members
        .filter(|(row, field)| !without.contains(&row.name) && !matches!(field.view(), FieldView::None));
    set.map(|(row, field)| {
        let mut json = String::new();
        field.write(&mut json, true);
        (row.name, Value::from_raw(Raw(&json)))
    })
}

/// The members of a protocol's requests that are parameters at the hub.
pub(crate) struct Parameters {
    /// The name here and the name at the hub of members that have two.
    pub renamed: &'static [(&'static str, &'static str)],
    /// The members that are not parameters.
    pub without: &'static [&'static str],
    /// Why a parameter is lost.
    pub reason: &'static str,
}

impl Parameters {
    /// Returns the parameters of a request: its declared members that are set, and the undeclared ones. Without
    /// `stream: true`, the parameter `stream` is false.
    pub fn of(&self, request: &dyn Object) -> Vec<Member> {
        let at_hub =
            |name| self.renamed.iter().find(|(here, _)| *here == name).map_or(name, |(_, at_hub)| *at_hub);
        let set = set_members(request, self.without);
        let mut parameters: Vec<Member> = set.map(|(name, value)| Member::new(at_hub(name), value)).collect();
        let is_stream = parameters.contains(&Member::new("stream", true));
        parameters.retain(|member| member.key != "stream");
        if !is_stream {
            parameters.push(Member::new("stream", false));
        }
        parameters.extend(request.extra().iter().cloned());
        parameters
    }

    /// Creates a request with these parameters. Those that it does not have, or has with another type, are noted as losses.
    pub fn request<T: Typed + Object>(&self, parameters: Vec<Member>, losses: &mut Losses) -> T {
        let mut request = T::blank();
        let mut members = Vec::new();
        for Member { key, value } in parameters {
            let name = self.renamed.iter().find(|(_, at_hub)| *at_hub == key).map_or(&*key, |(here, _)| here);
            let is_known = request.rows().iter().any(|row| row.name == name) && !self.without.contains(&name);
            match is_known {
                true => members.push(Member::new(name, value)),
                false => losses.note("parameter", &key, self.reason),
            }
        }
        let mut diagnostics = Diagnostics::at(None);
        request.read(Value::Object(members), &mut diagnostics);
        for problem in diagnostics.into_problems() {
            if !self.without.contains(&&*problem.path()) {
                losses.note("parameter", &problem.path(), self.reason);
            }
        }
        request
    }
}
