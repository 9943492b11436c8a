//! Converts requests to and from the hub.
//!
//! Members that requests of the hub do not have become parameters of the same name. `instructions` are the first
//! message, with the role system; `conversation` is the conversation, `max_output_tokens` the parameter `max_tokens`,
//! `user` the parameter `user_id`. A request without `stream` expects an answer that is not a stream: the parameter
//! `stream` is false.

mod received;
mod sent;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use self::received::received;
use self::sent::{said, tool};
use crate::core::request::object::Object;
use crate::core::request::to_json;
use crate::hub::request::{self as hub, HubRequest, RequestMessage, RequestPart, set_members};
use crate::hub::{Losses, MessageKind, Role};
use crate::json::{Member, Raw, Value};
use crate::protocols::responses::request::{Conversation, CreateResponse, Input, Tool};

/// Parameters that have another name at the hub: the name here, and the name there.
const RENAMED: &[(&str, &str)] = &[("max_output_tokens", "max_tokens"), ("user", "user_id")];

impl HubRequest for CreateResponse {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let mut request = hub::Request::default();
        let instructions = self.instructions.as_deref();
        request.messages.extend(instructions.map(|said| RequestMessage::text(Role::System, said)));
        match &self.input {
            Some(Input::Text(said)) => request.messages.push(RequestMessage::text(Role::User, said)),
            Some(Input::Items(items)) => {
                items.iter().for_each(|item| received(item, &mut request.messages, losses));
            }
            None => {}
        }
        request.conversation = match &self.conversation {
            Some(Conversation::Id(id)) => Some(id.as_str()),
            Some(Conversation::Object(conversation)) => Some(conversation.id.as_str()),
            None => None,
        };
        if let Some(id) = &self.previous_response_id {
            let why = "what was said before is not in the request: who keeps responses has to look it up";
            losses.note("previous-response", id, why);
        }
        request.tools = self.tools.iter().map(offered).collect();
        request.parameters = parameters(self);
        request
    }

    fn from_hub(request: hub::Request<'_>, losses: &mut Losses) -> Self {
        let mut messages = request.messages;
        let instructions = instructions(&mut messages);
        let (blank, _) = CreateResponse::of_members(Vec::new());
        let mut members = Vec::new();
        for Member { key, value } in request.parameters {
            let name = RENAMED.iter().find(|(_, at_hub)| *at_hub == key).map_or(&*key, |(name, _)| name);
            let known = blank.rows().iter().any(|row| row.name == name);
            match known && !TAKEN.contains(&name) {
                true => members.push(Member::new(name, value)),
                false => losses.note("parameter", &key, "requests of Responses have no member for it"),
            }
        }
        let (mut asked, refused) = CreateResponse::of_members(members);
        for problem in refused {
            losses.note("parameter", &problem.path(), "in requests of Responses it is of another type");
        }
        asked.instructions = instructions;
        asked.input = Some(match &messages[..] {
            [only] if only.id.is_none() && only.role == Role::User => match (&only.kind, &only.parts[..]) {
                (MessageKind::Message, [RequestPart::Text(text)]) => Input::Text((*text).to_owned()),
                _ => said(messages, losses),
            },
            _ => said(messages, losses),
        });
        asked.stream.get_or_insert(true);
        asked.conversation = request.conversation.map(|id| Conversation::Id(id.to_owned()));
        asked.tools = request.tools.into_iter().filter_map(|offered| tool(offered, losses)).collect();
        asked
    }
}

/// Members that are not parameters at the hub.
const TAKEN: &[&str] = &["input", "instructions", "tools", "conversation"];

/// Removes and returns the instructions: the first message, if it is a system message that consists of one text.
fn instructions(messages: &mut Vec<RequestMessage<'_>>) -> Option<String> {
    let first = messages.first()?;
    let plain = first.id.is_none() && first.kind == MessageKind::Message && first.role == Role::System;
    let [RequestPart::Text(text)] = first.parts[..] else { return None };
    plain.then(|| {
        messages.remove(0);
        text.to_owned()
    })
}

/// Returns the members that requests of the hub do not have, as parameters.
fn parameters(asked: &CreateResponse) -> Vec<Member> {
    let at_hub = |key| RENAMED.iter().find(|(name, _)| *name == key).map_or(key, |(_, at_hub)| *at_hub);
    let set = set_members(asked, TAKEN).filter(|(key, _)| *key != "stream");
    let mut members: Vec<Member> = set.map(|(key, value)| Member::new(at_hub(key), value)).collect();
    if asked.stream != Some(true) {
        members.push(Member::new("stream", false));
    }
    members.extend(asked.extra.iter().cloned());
    members
}

/// Converts a tool. The members of a function become those of the hub's function; any other tool is kept as an object.
fn offered(tool: &Tool) -> hub::Tool<'_> {
    if tool.r#type != "function" {
        return hub::Tool::Other(Value::from_raw(Raw(&to_json(tool, true))));
    }
    let strict = tool.strict.map(|strict| Member::new("strict", strict));
    hub::Tool::Function {
        name: tool.name.as_deref().unwrap_or(""),
        description: tool.description.as_deref().unwrap_or(""),
        parameters: tool.parameters.clone().unwrap_or_else(|| Value::Object(Vec::new())),
        more: strict.into_iter().chain(tool.extra.iter().cloned()).collect(),
    }
}

/// Members of a request that its response does not repeat: they concern the transmission of the answer, or a Response
/// object does not have them.
const NOT_REPEATED: &[&str] = &["input", "stream", "stream_options", "include"];

/// Members of a tool that are secrets of the client and the tool's server.
const SECRET: &[&str] = &["headers", "authorization"];

impl CreateResponse {
    /// Returns the members of this request that its Response object repeats, as OpenAI's server does: `model`,
    /// `instructions`, `tools`, `temperature`, `metadata` and so on. Pass them in the
    /// [options](crate::hub::WriteOptions::echo) of the writer of the answer. Members that authorize a tool are
    /// omitted.
    ///
    /// ```
    /// use agentwire::json::Value;
    /// use agentwire::responses::request::CreateResponse;
    ///
    /// let asked = CreateResponse::parse(r#"{"model":"m","input":"hi","temperature":0.5,"conversation":"c"}"#)?;
    /// assert_eq!(
    ///     asked.echo().to_json(),
    ///     r#"{"model":"m","tools":[],"conversation":{"id":"c"},"temperature":0.5}"#,
    /// );
    /// # Ok::<(), agentwire::responses::request::RequestError>(())
    /// ```
    pub fn echo(&self) -> Value {
        let public = |tool: &Value| Value::Object(tool.members_without(SECRET));
        let members = set_members(self, NOT_REPEATED).map(|(key, said)| {
            let value = match (key, &self.conversation) {
                ("conversation", Some(Conversation::Id(id))) => [("id", id.as_str().into())].into(),
                ("tools", _) => Value::Array(said.items().iter().map(public).collect()),
                _ => said,
            };
            Member::new(key, value)
        });
        Value::Object(members.collect())
    }
}
