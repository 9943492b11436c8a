//! The members of a request that its response repeats.

use alloc::string::String;

use super::{Conversation, CreateResponse};
use crate::core::request::FieldView;
use crate::core::request::object::RequestObject;
use crate::json::{Member, Raw, Value};

/// Members of a request that do not concern the writer of its response.
const NOT_REPEATED: &[&str] = &["input", "stream", "stream_options"];

/// Members of a tool that are secrets of the client and the tool's server.
const SECRET: &[&str] = &["headers", "authorization"];

impl CreateResponse {
    /// Returns the members of this request that its Response object repeats, as OpenAI's server
    /// does: `model`, `instructions`, `tools`, `temperature`, `metadata` and so on, and `include`,
    /// which the writer of the answer obeys. Pass them in the
    /// [options](crate::hub::WriteOptions::echo) of that writer. Members that authorize a tool are
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
    /// # Ok::<(), agentwire::request::openai::RequestError>(())
    /// ```
    pub fn echo(&self) -> Value {
        let public = |tool: &Value| Value::Object(tool.members_without(SECRET));
        let members = set_members(self, NOT_REPEATED).map(|(key, value)| {
            let value = match (key, &self.conversation) {
                ("conversation", Some(Conversation::Id(id))) => [("id", id.as_str().into())].into(),
                ("tools", _) => Value::Array(value.items().iter().map(public).collect()),
                _ => value,
            };
            Member::new(key, value)
        });
        Value::Object(members.collect())
    }
}

/// Returns the declared members of a request that are set, with their names. Members named in
/// `without` are left out.
fn set_members<'o>(
    object: &'o dyn RequestObject,
    without: &'o [&str],
) -> impl Iterator<Item = (&'static str, Value)> + use<'o> {
    let members = object.rows().iter().zip(object.fields());
    let set = members.filter(|(row, field)| {
        !without.contains(&row.name) && !matches!(field.view(), FieldView::None)
    });
    set.map(|(row, field)| {
        let mut json = String::new();
        field.write(&mut json, true);
        (row.name, Value::from_raw(Raw(&json)))
    })
}
