//! The JSON of a request, and the protocol for reading its answer.

use alloc::string::String;

use super::{InputMessage, RunAgentInput};
use crate::core::{FreeJsonCheck, Limits, UsageError};
use crate::json::Value;
use crate::protocols::ag_ui::AgUi;
use crate::protocols::ag_ui::builder::PROTOCOL_VERSION;

impl RunAgentInput {
    /// Returns the protocol for reading the answer, with the messages and the state of the client.
    pub fn protocol(&self) -> AgUi {
        let input = Value::parse(&self.normalized_json(), u32::MAX).ok();
        let messages = input.as_ref().and_then(|input| input.get("messages"));
        AgUi { messages: messages.map(Into::into), state: Some((&self.state).into()) }
    }

    /// Returns the request as JSON, as the official client sends it: without activities, and with the version of the
    /// protocol (U23).
    ///
    /// Fails if the request contains free JSON that no agent could read.
    pub fn to_json(&self) -> Result<String, UsageError> {
        let deepest = Limits::default().json_depth - 1;
        let free = FreeJsonCheck { deepest, call: "to_json()" };
        let mut sent = self.clone();
        sent.messages.retain(|message| !matches!(message, InputMessage::Activity { .. }));
        sent.protocol_version.get_or_insert_with(|| PROTOCOL_VERSION.into());
        free.value(&sent.state, deepest)?;
        free.value(&sent.forwarded_props, deepest)?;
        for tool in &sent.tools {
            tool.parameters.iter().try_for_each(|schema| free.value(schema, deepest - 2))?;
        }
        for entry in &sent.resume {
            entry.payload.iter().try_for_each(|payload| free.value(payload, deepest - 2))?;
        }
        Ok(sent.normalized_json())
    }
}
