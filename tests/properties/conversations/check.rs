//! What is checked of a conversion.

use agentwire::ProtocolKind;
use agentwire::convert::TypedRequest;
use agentwire::hub::Losses;
use proptest::prelude::*;

use super::talk::issued_by;
use super::validate::Model;
use super::{convert, options};

/// The conversion of a request for a model.
pub struct Check<'a> {
    pub from: ProtocolKind,
    pub asked: &'a str,
    pub model: &'a Model,
}

impl Check<'_> {
    /// Returns the request for the model, and the losses.
    pub fn sent(&self) -> (String, Losses) {
        let (sent, losses) =
            convert(self.from, self.asked, self.model.protocol, &options(Some(self.model.name)));
        (sent.json, losses)
    }

    /// The API of the model accepts the request.
    pub fn is_accepted(&self) -> Result<(), TestCaseError> {
        let Check { from, asked, model } = self;
        let (sent, losses) = self.sent();
        model.validate(&sent, &issued_by(model.protocol)).map_err(|refusal| {
            let to = model.name;
            TestCaseError::fail(format!("{from:?} to {to}: {refusal}\n{asked}\n{sent}\n{}", losses.to_json()))
        })
    }
}

/// Parses the request of a protocol as its Rust type.
///
/// # Errors
///
/// The problems of a text that is not one.
pub fn parsed(protocol: ProtocolKind, json: &str) -> Result<(), String> {
    fn of<T: TypedRequest>(json: &str) -> Result<(), String> {
        T::parse_body(json).map(drop).map_err(|error| error.to_string())
    }
    match protocol {
        ProtocolKind::Chat => of::<agentwire::chat::request::ChatRequest>(json),
        ProtocolKind::Responses => of::<agentwire::responses::request::CreateResponse>(json),
        ProtocolKind::Anthropic => of::<agentwire::anthropic::request::MessagesRequest>(json),
        ProtocolKind::Gemini => of::<agentwire::gemini::request::GenerateContentRequest>(json),
        ProtocolKind::AgUi => of::<agentwire::ag_ui::request::RunAgentInput>(json),
        ProtocolKind::AiSdk => of::<agentwire::ai_sdk::request::UiRequest>(json),
        ProtocolKind::A2a => of::<agentwire::a2a::request::SendMessageRequest>(json),
        ProtocolKind::AgKit => of::<agentwire::ag_kit::request::SendMessageInput>(json),
        _ => of::<agentwire::agent_api::request::AgentRequest>(json),
    }
}
