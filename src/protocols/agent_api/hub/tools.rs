//! Tool calls and their results in the format of the Agent API.

use alloc::borrow::ToOwned;

use super::from_hub::{ToAgentApi, emit, why};
use super::members::with;
use crate::hub::Out;
use crate::json::{Member, Value};
use crate::protocols::agent_api::Payload;
use crate::protocols::agent_api::builder::WireEvent;

impl ToAgentApi {
    pub(super) fn call(
        &mut self,
        message: u32,
        part: u32,
        id: &str,
        name: &str,
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        let id = self.call_ids.of(id, out).to_owned();
        let id = id.as_str();
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
        let id = self.call_ids.of(id, out).to_owned();
        let id = id.as_str();
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
