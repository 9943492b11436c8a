//! A request to a protocol whose answer is stored.

use std::string::String;
use std::vec::Vec;

use crate::json::{Member, Value};
use crate::threads::parsed;

/// A request to a protocol, as it is stored: the form of the services in TypeScript.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredRequest {
    /// The path and the query.
    pub url: String,
    /// The headers that the protocols read.
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// The id of the request, which its client and the agent have.
    pub request_id: Option<String>,
    /// The earlier items, if it continues an OpenAI response: a JSON list.
    pub before: Option<String>,
    /// The id of the stored OpenAI response.
    pub response_id: Option<String>,
    /// The name of its chat of the AI SDK: a hash.
    pub chat: Option<String>,
    /// The id of the run: a task of A2A has several.
    pub run_id: Option<String>,
    /// The message of A2A with its task, as it was accepted.
    pub accepted: Option<String>,
    /// The context of the task of A2A.
    pub context_id: Option<String>,
    /// The form of the answer in A2A, whose log has version 1.0 in JSON-RPC.
    pub reply: Option<Value>,
    /// The conversation, if the answer is a turn of one: the name of its thread, a hash.
    pub conversation: Option<String>,
    /// The rows of a turn that was written elsewhere, without an agent.
    pub turn: Option<Vec<String>>,
    /// The frames of an answer without an agent.
    pub frames: Option<Vec<String>>,
}

impl StoredRequest {
    pub fn to_json(&self) -> String {
        let member = |(name, value): &(String, String)| Member {
            key: name.clone(),
            value: value.as_str().into(),
        };
        let mut json = Value::from([
            ("url", self.url.as_str().into()),
            ("headers", Value::Object(self.headers.iter().map(member).collect())),
            ("body", self.body.as_str().into()),
        ]);
        for (name, text) in [
            ("requestId", &self.request_id),
            ("before", &self.before),
            ("responseId", &self.response_id),
            ("chat", &self.chat),
            ("runId", &self.run_id),
            ("accepted", &self.accepted),
            ("contextId", &self.context_id),
            ("conversation", &self.conversation),
        ] {
            if let Some(text) = text {
                json.insert(name, text.as_str().into());
            }
        }
        if let Some(reply) = &self.reply {
            json.insert("reply", reply.clone());
        }
        for (name, texts) in [("turn", &self.turn), ("frames", &self.frames)] {
            if let Some(texts) = texts {
                let texts = texts.iter().map(|text| text.as_str().into()).collect();
                json.insert(name, Value::Array(texts));
            }
        }
        json.to_json()
    }

    pub fn parse(input: &str) -> Self {
        let json = parsed(input);
        let text = |name: &str| json.text(name).map(String::from);
        let texts = |name: &str| match json.get(name) {
            Some(Value::Array(texts)) => {
                Some(texts.iter().filter_map(Value::as_str).map(String::from).collect())
            }
            _ => None,
        };
        let header = |member: &Member| Some((member.key.clone(), member.value.as_str()?.into()));
        let headers = json.get("headers").map(Value::members).unwrap_or_default();
        StoredRequest {
            url: text("url").unwrap_or_default(),
            headers: headers.iter().filter_map(header).collect(),
            body: text("body").unwrap_or_default(),
            request_id: text("requestId"),
            before: text("before"),
            response_id: text("responseId"),
            chat: text("chat"),
            run_id: text("runId"),
            accepted: text("accepted"),
            context_id: text("contextId"),
            reply: json.get("reply").cloned(),
            conversation: text("conversation"),
            turn: texts("turn"),
            frames: texts("frames"),
        }
    }
}
