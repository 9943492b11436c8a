//! AG-UI: building streams, events in other forms, requests.

use crate::core::error::{DecodeError, UsageError};
use crate::core::limits::Limits;
use crate::json::{Document, put, write_list, write_string};
use crate::protocols::ag_ui::builder::{StreamBuilder, WireEvent};
use crate::protocols::ag_ui::events::Event;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::ag_ui::{Compactor, binary};
use crate::wasm::exchange::grow_ahead;
use crate::wasm::framed::thrown;
use crate::wasm::framed::{Framed, HostIds, all, free};
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Builds the stream of a run.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawAgUiBuilder {
    builder: StreamBuilder,
    /// The common part of the pieces that were begun last.
    template: String,
}

fn frames(events: Result<Vec<WireEvent>, UsageError>) -> Framed {
    Ok(all(&events?))
}

#[wasm_bindgen]
impl RawAgUiBuilder {
    /// `state` is the JSON of the client's request, if it is known.
    #[wasm_bindgen(constructor)]
    pub fn new(
        thread_id: String,
        run_id: String,
        state: Option<String>,
        chunks: bool,
        numbered: bool,
    ) -> Result<RawAgUiBuilder, JsValue> {
        grow_ahead();
        let mut builder = StreamBuilder::new(thread_id, run_id).chunks(chunks);
        if !numbered {
            builder = builder.ids(HostIds);
        }
        if let Some(state) = state {
            builder = builder.client_state(&free(&state)?);
        }
        Ok(RawAgUiBuilder { builder, template: String::new() })
    }

    pub fn start(&mut self) -> Framed {
        frames(self.builder.start())
    }

    /// Writes an event that is given as JSON.
    pub fn event(&mut self, json: &str) -> Framed {
        let event = Event::decode(json, Limits::default().json_depth)?;
        frames(self.builder.event(&event))
    }

    /// Returns the events that precede pieces that JavaScript then writes by itself. `of` is `text`
    /// or `reasoning`, followed by a space and an id if the message was started by its event, or
    /// `args` with the id of a call.
    #[wasm_bindgen(js_name = beginPieces)]
    pub fn begin_pieces(&mut self, of: &str) -> Framed {
        let (events, template) = self.builder.pieces(of)?;
        self.template = template;
        Ok(all(&events))
    }

    /// Returns the common part of the lines of the pieces that were started last.
    #[wasm_bindgen(js_name = pieceTemplate)]
    pub fn piece_template(&mut self) -> String {
        core::mem::take(&mut self.template)
    }

    #[wasm_bindgen(js_name = endMessage)]
    pub fn end_message(&mut self) -> String {
        all(&self.builder.end_message())
    }

    #[wasm_bindgen(js_name = messageId)]
    pub fn message_id(&mut self) -> Option<String> {
        self.builder.message_id().map(Into::into)
    }

    #[wasm_bindgen(js_name = toolCallStart)]
    pub fn tool_call_start(&mut self, id: &str, name: &str) -> Framed {
        frames(self.builder.tool_call_start(id, name))
    }

    #[wasm_bindgen(js_name = toolCallEnd)]
    pub fn tool_call_end(&mut self, id: &str) -> Framed {
        frames(self.builder.tool_call_end(id))
    }

    #[wasm_bindgen(js_name = toolResult)]
    pub fn tool_result(&mut self, call: &str, content: &str) -> Framed {
        frames(self.builder.tool_result(call, free(content)?))
    }

    pub fn state(&mut self, next: &str) -> Framed {
        frames(self.builder.state(&free(next)?))
    }

    pub fn activity(&mut self, id: &str, kind: &str, content: &str) -> Framed {
        frames(self.builder.activity(id, kind, &free(content)?))
    }

    pub fn lane(&mut self, id: Option<String>) {
        self.builder.lane(id.as_deref());
    }

    #[wasm_bindgen(js_name = setUsage)]
    pub fn set_usage(&mut self, usage: &str) -> Result<(), JsValue> {
        self.builder.set_usage(free(usage)?);
        Ok(())
    }

    /// `outcome` is JSON.
    pub fn finish(&mut self, outcome: &str, result: Option<String>) -> Framed {
        let result = result.map(|result| free(&result)).transpose()?;
        frames(self.builder.finish_as(free(outcome)?, result))
    }

    pub fn error(&mut self, message: &str, code: Option<String>) -> Framed {
        frames(self.builder.error(message, code.as_deref()))
    }

    /// `outcome` is JSON: the outcome of a run without an error.
    #[wasm_bindgen(js_name = finishWith)]
    pub fn finish_with(
        &mut self,
        outcome: &str,
        message: Option<String>,
        code: Option<String>,
    ) -> Framed {
        let error = message.as_deref().map(|message| (message, code.as_deref()));
        Ok(all(&self.builder.end_with(error, &free(outcome)?)))
    }

    #[wasm_bindgen(js_name = isEnded)]
    pub fn is_ended(&self) -> bool {
        self.builder.is_ended()
    }
}

/// Encodes an AG-UI event in binary form. Returns a JSON list with JSON Pointers of the values that
/// the form cannot represent, after its length in four bytes, least significant first; then the
/// frame.
#[wasm_bindgen(js_name = agUiFrame)]
pub fn ag_ui_frame(json: &str) -> Result<Vec<u8>, JsValue> {
    let encoded = binary::encode(json, Limits::DEEPEST)?;
    let mut lost = String::new();
    write_list(&encoded.lost, &mut lost, |pointer, out| write_string(pointer, out));
    let mut out = (lost.len() as u32).to_le_bytes().to_vec();
    out.extend_from_slice(lost.as_bytes());
    out.extend_from_slice(&encoded.frame);
    Ok(out)
}

/// Compacts a JSON list of AG-UI events.
#[wasm_bindgen(js_name = agUiCompact)]
pub fn ag_ui_compact(json: &str) -> Result<String, JsValue> {
    let document =
        Document::read(json, Limits::DEEPEST).map_err(|error| DecodeError::new(error, ""))?;
    let mut compactor = Compactor::default();
    for event in document.root().array().map_err(|error| DecodeError::new(error, ""))? {
        compactor.push(event.raw().as_str());
    }
    let mut out = String::new();
    write_list(compactor.finish(), &mut out, |event, out| put(out, &event));
    Ok(out)
}

/// Converts a request to the form that the official client sends.
#[wasm_bindgen(js_name = writeRunAgentInput)]
pub fn write_run_agent_input(json: &str) -> Result<String, JsValue> {
    let input = RunAgentInput::parse(json).map_err(|error| thrown("bad-request", &error.text()))?;
    Ok(input.to_json()?)
}
