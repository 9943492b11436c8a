//! The declaration of requests, and the requests that continue a reply. (M10.)

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::{FreeJsonCheck, Limits, UsageError, requests};
use crate::json::Value;
use crate::protocols::agentscope::{Snapshot, ToolCallBlock};

requests! {
    objects {
        /// The request of a client to an AgentScope service. (M10.)
        ChatRequest as "AgentScopeRequest" {
            /// The id of the agent.
            agent_id: String,
            /// The id of the session. The server keeps its messages.
            session_id: String,
            /// The new message of the user, a list of messages, the answers to questions
            /// (`USER_CONFIRM_RESULT`), the results of executions
            /// (`EXTERNAL_EXECUTION_RESULT`), or null to continue.
            input: Value,
        }
    }
    unions {}
    bodies { ChatRequest }
}

impl ChatRequest {
    /// Creates a request with that input.
    pub fn new(
        agent_id: impl Into<String>,
        session_id: impl Into<String>,
        input: impl Into<Value>,
    ) -> Self {
        ChatRequest {
            agent_id: agent_id.into(),
            session_id: session_id.into(),
            input: input.into(),
            ..Self::empty()
        }
    }

    /// Creates a request with the next message of the user.
    pub fn user(
        agent_id: impl Into<String>,
        session_id: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let text = Value::from([("type", "text".into()), ("text", Value::String(text.into()))]);
        let message = Value::from([
            ("name", "user".into()),
            ("role", "user".into()),
            ("content", Value::Array([text].into())),
        ]);
        Self::new(agent_id, session_id, message)
    }

    /// Creates a request with the answers to the questions of a reply: the ids of calls, and whether
    /// the user has confirmed each. Questions without an answer keep waiting.
    pub fn confirming<'a>(
        agent_id: impl Into<String>,
        reply: &Snapshot,
        answers: impl IntoIterator<Item = (&'a str, bool)>,
    ) -> Self {
        let answers: Vec<(&str, bool)> = answers.into_iter().collect();
        let results = reply.tool_calls().filter_map(|call| {
            let (_, confirmed) = answers.iter().find(|(id, _)| *id == call.id)?;
            let answer = [("confirmed", (*confirmed).into()), ("tool_call", block(call))];
            Some(Value::from(answer))
        });
        let results = Value::Array(results.collect());
        Self::event(agent_id, reply, "USER_CONFIRM_RESULT", "confirm_results", results)
    }

    /// Creates a request with the results of the calls that the client has executed: their ids and
    /// texts.
    pub fn executing<'a>(
        agent_id: impl Into<String>,
        reply: &Snapshot,
        results: impl IntoIterator<Item = (&'a str, String)>,
    ) -> Self {
        let results = results.into_iter().map(|(id, text)| {
            let call = reply.tool_calls().find(|call| call.id == id);
            let text = Value::from([("type", "text".into()), ("text", Value::String(text))]);
            Value::from([
                ("type", "tool_result".into()),
                ("id", id.into()),
                ("name", call.map_or("", |call| &call.name).into()),
                ("output", Value::Array([text].into())),
                ("state", "success".into()),
            ])
        });
        let results = Value::Array(results.collect());
        Self::event(agent_id, reply, "EXTERNAL_EXECUTION_RESULT", "execution_results", results)
    }

    /// Returns the messages or the events of an input.
    #[cfg(feature = "axum")]
    pub(crate) fn inputs(input: &Value) -> &[Value] {
        match input {
            Value::Array(inputs) => inputs,
            one => core::slice::from_ref(one),
        }
    }

    /// Returns the id of the reply that an input answers.
    #[cfg(feature = "axum")]
    pub(crate) fn reply_in(input: &Value) -> Option<&str> {
        let mut replies = Self::inputs(input).iter().filter_map(|event| event.text("reply_id"));
        replies.find(|id| !id.is_empty())
    }

    fn event(
        agent_id: impl Into<String>,
        reply: &Snapshot,
        name: &str,
        member: &str,
        results: Value,
    ) -> Self {
        let event = Value::from([
            ("type", name.into()),
            ("reply_id", reply.id.as_str().into()),
            (member, results),
        ]);
        Self::new(agent_id, reply.session_id.as_str(), event)
    }

    /// Writes the request as JSON.
    ///
    /// # Errors
    ///
    /// `too-deep` if the input nests too deeply.
    pub fn to_json(&self) -> Result<String, UsageError> {
        let deepest = Limits::default().json_depth;
        FreeJsonCheck { deepest, call: "to_json()" }.value(&self.input, deepest)?;
        Ok(self.normalized_json())
    }
}

/// Returns a call as the block that the answer repeats.
fn block(call: &ToolCallBlock) -> Value {
    Value::from([
        ("type", "tool_call".into()),
        ("id", call.id.as_str().into()),
        ("name", call.name.as_str().into()),
        ("input", call.input.as_str().into()),
    ])
}
