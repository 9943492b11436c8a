//! Requests as Rust types, and their conversion.

use alloc::string::String;

use super::request::{ConvertError, RequestOptions, convert_request};
use crate::core::id::IdSource;
use crate::core::request::InvalidRequest;
use crate::hub::Losses;
use crate::json::Value;
use crate::protocols::ProtocolKind;

/// A request whose protocol is known.
pub trait ProtocolRequest {
    /// Returns the protocol.
    fn protocol(&self) -> ProtocolKind;

    /// Returns the request as JSON.
    fn to_body(&self) -> String;

    /// Returns the members of the request that the writer of its answer needs
    /// ([`WriteOptions::echo`](crate::hub::WriteOptions::echo)): an object, null if there are none.
    fn echo(&self) -> Value {
        Value::Null
    }
}

/// A request of a protocol, as a Rust type.
pub trait TypedRequest: ProtocolRequest + Sized {
    /// The protocol.
    const PROTOCOL: ProtocolKind;

    /// Parses a request.
    ///
    /// # Errors
    ///
    /// The problems of a text that is not a request of the protocol.
    fn parse_body(json: &str) -> Result<Self, InvalidRequest>;
}

/// A request as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRequest {
    /// The protocol.
    pub protocol: ProtocolKind,
    /// The JSON.
    pub body: String,
}

impl ProtocolRequest for RawRequest {
    fn protocol(&self) -> ProtocolKind {
        self.protocol
    }

    fn to_body(&self) -> String {
        self.body.clone()
    }
}

macro_rules! typed {
    ($([$($on:tt)*] $Request:path, $Kind:ident, $json:expr, $error:expr $(, $echo:expr)?;)*) => {$(
        #[cfg($($on)*)]
        impl ProtocolRequest for $Request {
            fn protocol(&self) -> ProtocolKind {
                ProtocolKind::$Kind
            }

            fn to_body(&self) -> String {
                $json(self)
            }

            $(fn echo(&self) -> Value {
                $echo(self)
            })?
        }

        #[cfg($($on)*)]
        impl TypedRequest for $Request {
            const PROTOCOL: ProtocolKind = ProtocolKind::$Kind;

            fn parse_body(json: &str) -> Result<Self, InvalidRequest> {
                <$Request>::parse(json).map_err($error)
            }
        }
    )*};
}

typed! {
    [feature = "agent-api"] crate::protocols::agent_api::request::AgentRequest, AgentApi,
        |request: &Self| request.to_json(crate::protocols::agent_api::Style::Compact),
        |error| InvalidRequest::new(error.problems().to_vec());
    [feature = "agentscope"] crate::protocols::agentscope::request::ChatRequest, AgentScope, Self::normalized_json, |error| error;
    [feature = "ag-kit"] crate::protocols::ag_kit::request::SendMessageInput, AgKit, Self::normalized_json, |error| error;
    [feature = "ag-ui"] crate::protocols::ag_ui::request::RunAgentInput, AgUi, Self::normalized_json, |error| error;
    [feature = "a2a"] crate::protocols::a2a::request::SendMessageRequest, A2a, Self::normalized_json, |error| error;
    [feature = "ai-sdk"] crate::protocols::ai_sdk::request::UiRequest, AiSdk, Self::normalized_json, |error| error,
        Self::echo;
    [feature = "responses"] crate::protocols::responses::request::CreateResponse, Responses, Self::to_json,
        |error| InvalidRequest::new(error.problems().to_vec()), Self::echo;
    [feature = "chat"] crate::protocols::chat::request::ChatRequest, Chat, Self::to_json,
        |error| InvalidRequest::new(error.problems().to_vec()), Self::echo;
    [feature = "anthropic"] crate::protocols::anthropic::request::MessagesRequest, Anthropic, Self::normalized_json,
        |error| error, Self::echo;
    [feature = "gemini"] crate::protocols::gemini::request::GenerateContentRequest, Gemini, Self::normalized_json,
        |error| error;
    [feature = "interactions"] crate::protocols::interactions::request::CreateInteraction, Interactions,
        Self::normalized_json, |error| error;
}

/// Converts a request to the request of another protocol, as a Rust type.
///
/// ```
/// use agentwire::ag_kit::request::SendMessageInput;
/// use agentwire::agent_api::request::AgentRequest;
/// use agentwire::builder::RandomIds;
/// use agentwire::convert::convert_typed;
/// use agentwire::hub::Losses;
///
/// let asked = AgentRequest::parse(
///     r#"{"session_id": "c", "temperature": 0.5, "input": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}"#,
/// ).unwrap();
/// let mut losses = Losses::default();
/// let sent: SendMessageInput = convert_typed(&asked, &mut RandomIds, &mut losses)?;
/// assert_eq!(sent.conversation_id, "c");
/// assert_eq!(losses.iter().map(|loss| (loss.kind, &*loss.location)).collect::<Vec<_>>(), [("parameter", "temperature")]);
/// # Ok::<(), agentwire::convert::ConvertError>(())
/// ```
///
/// # Errors
///
/// [`ConvertError`] as of [`convert_request`], and for a value that the type cannot have.
pub fn convert_typed<T: TypedRequest>(
    request: &impl ProtocolRequest,
    ids: &mut dyn IdSource,
    losses: &mut Losses,
) -> Result<T, ConvertError> {
    let (from, body) = (request.protocol(), request.to_body());
    let options = RequestOptions::default();
    let converted = convert_request(from, &body, T::PROTOCOL, &options, ids, losses)?;
    T::parse_body(&converted.json).map_err(ConvertError::Request)
}
