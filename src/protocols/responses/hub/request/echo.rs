//! The members of a request that its response repeats.

use alloc::{string::String, vec::Vec};

use crate::core::request::View;
use crate::core::request::object::Object;
use crate::json::{Member, Raw, Value};
use crate::protocols::responses::request::{Conversation, CreateResponse};

/// Members that concern the transmission of the answer, or that a Response object does not have.
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
        let mut members = Vec::new();
        for (row, field) in self.rows().iter().zip(self.fields()) {
            if NOT_REPEATED.contains(&row.name) || matches!(field.view(), View::None) {
                continue;
            }
            let mut json = String::new();
            field.write(&mut json, true);
            let said = Value::from_raw(Raw(&json));
            let value = match row.name {
                "conversation" => match &self.conversation {
                    Some(Conversation::Id(id)) => Value::from([("id", id.as_str().into())]),
                    _ => said,
                },
                "tools" => Value::Array(
                    said.items().iter().map(|tool| Value::Object(tool.members_without(SECRET))).collect(),
                ),
                _ => said,
            };
            members.push(Member { key: row.name.into(), value });
        }
        Value::Object(members)
    }
}
