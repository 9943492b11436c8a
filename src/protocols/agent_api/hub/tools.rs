//! Tool calls and their results, as the Agent API has them.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::from_hub::{ToAgentApi, emit, why};
use super::members::with;
use crate::hub::transducer::Out;
use crate::json::{Member, Value, decimal};
use crate::protocols::agent_api::Payload;
use crate::protocols::agent_api::builder::WireEvent;

impl ToAgentApi {
    /// The id that a call has here. The protocol's readers take no empty one for one, and none that is longer than a
    /// message.
    pub(super) fn call_id<'i>(&'i mut self, id: &'i str, out: &mut Out<'_, WireEvent>) -> &'i str {
        const LONGEST: usize = 1024;
        if !id.is_empty() && id.len() <= LONGEST {
            return id;
        }
        if self.ids.get(id).is_none() {
            out.lose("call-id", id, "the Agent API's readers could not pair it: the call got another one");
            let next = self.ids.len() + 1;
            self.ids.insert(id, ["unnamed_", &decimal(next as i64)].concat());
        }
        self.ids.get(id).map_or(id, String::as_str)
    }

    pub(super) fn call(
        &mut self,
        message: u32,
        part: u32,
        id: &str,
        name: &str,
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        let id = &*self.call_id(id, out).to_owned();
        let Some(builder) = self.part(message, part, "data") else { return };
        let said = [("call_id", id.into()), ("name", name.into()), ("arguments", "".into())];
        let event = match builder.add_data_delta(with(said.clone(), more)) {
            Err(refused) if !more.is_empty() => {
                out.lose("call-members", id, why(&refused));
                builder.add_data_delta(with(said, &[]))
            }
            event => event,
        };
        emit(event, id, out);
    }

    pub(super) fn result(
        &mut self,
        message: u32,
        (id, name, output): (&str, Option<&str>, &str),
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        let id = &*self.call_id(id, out).to_owned();
        let Some(message) = self.messages.get(message.into()) else { return };
        let name = name.map_or(Value::Null, Value::from);
        let said = [("call_id", id.into()), ("name", name), ("output", output.into())];
        let event = match message.add_content(Payload::Data { data: Some(with(said.clone(), more)) }) {
            Err(refused) if !more.is_empty() => {
                out.lose("call-members", id, why(&refused));
                message.add_content(Payload::Data { data: Some(with(said, &[])) })
            }
            event => event,
        };
        emit(event, id, out);
    }
}
