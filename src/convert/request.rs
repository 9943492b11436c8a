//! Conversion of requests: the messages, tools and settings of a client, as the request of another
//! protocol.

use alloc::string::String;

use alloc::vec;

use super::passed::passed_on;
use crate::core::error::UsageError;
use crate::core::id::IdSource;
use crate::core::limits::Limits;
use crate::core::request::{Fault, InvalidRequest, Problem, json_within};
use crate::hub::Losses;
use crate::hub::conversation::{
    Back, Conversation, RequestCodec, SettingKey, is_sealed, lack_state, normalise,
};
use crate::hub::conversion::Conversion;
use crate::json::Value;
use crate::protocols::{self, ProtocolKind, registry};

macro_rules! codecs {
    (
        read { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
        written $written:tt
    ) => {
        /// Returns how the requests of a protocol are read and written.
        fn codec(protocol: ProtocolKind) -> Option<&'static RequestCodec> {
            match protocol {
                $(#[cfg($($on)*)] ProtocolKind::$Kind => <protocols::$folder::$Kind as Conversion>::requests(),)*
                #[allow(unreachable_patterns, reason = "a build may have all protocols")]
                _ => None,
            }
        }
    };
}
registry!(codecs);

/// Options for the conversion of a request.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RequestOptions {
    /// The name of the model, in place of the one in the request.
    pub model: Option<String>,
    /// Whether the answer is a stream, in place of what the request says.
    pub stream: Option<bool>,
    /// The server and family of models that receive the request: opaque members of others are left
    /// out.
    pub scope: Option<String>,
    /// The limits of the request: its length in bytes, and its nesting.
    pub limits: Limits,
}

/// A request that was converted.
///
/// The model may be outside of its JSON: Gemini has it in the URL.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConvertedRequest {
    /// The request, as JSON.
    pub json: String,
    /// The name of the model, if the request has one.
    pub model: Option<String>,
    /// How the names of the answer's calls are mapped back to those of the client's tools.
    pub back: Back,
}

/// The reason why a request is not converted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ConvertError {
    /// A protocol has no requests in this build.
    Usage(UsageError),
    /// The request is not a JSON object, is too long, or nested too deeply.
    Request(InvalidRequest),
}

impl core::fmt::Display for ConvertError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            ConvertError::Usage(error) => error.fmt(f),
            ConvertError::Request(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ConvertError {}

/// Converts a request to another protocol. A request of the same protocol stays as it is, byte by
/// byte, except for what the options change; but one that the model refuses, because the client has
/// left out the state of its calls, gets what the API documents for calls without it.
///
/// ```
/// use agentwire::ProtocolKind;
/// use agentwire::builder::RandomIds;
/// use agentwire::convert::{RequestOptions, convert_request};
/// use agentwire::hub::Losses;
///
/// let request = r#"{"model":"m","input":"hi","text":{"verbosity":"low"}}"#;
/// let (mut losses, options) = (Losses::default(), RequestOptions::default());
/// let from = ProtocolKind::Responses;
/// let sent = convert_request(from, request, ProtocolKind::Chat, &options, &mut RandomIds, &mut losses)?;
/// assert_eq!(sent.json, r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"verbosity":"low"}"#);
/// assert!(losses.is_empty());
/// # Ok::<(), agentwire::convert::ConvertError>(())
/// ```
///
/// # Errors
///
/// [`ConvertError`] for a request that cannot be read, and for a protocol without requests in this build. What the target
/// cannot represent is not an error but a loss.
pub fn convert_request(
    from: ProtocolKind,
    request: &str,
    to: ProtocolKind,
    options: &RequestOptions,
    ids: &mut dyn IdSource,
    losses: &mut Losses,
) -> Result<ConvertedRequest, ConvertError> {
    let value = object(request, &options.limits)?;
    let codec = known(from)?;
    if from == to && !is_sealed(&value) {
        // Only a model that is known can require it.
        let lacks_state = options.model.as_deref().or(value.text("model")).is_some_and(|model| {
            let requirements = (codec.requirements)(Some(model));
            requirements.placeholder.is_some()
                && lack_state(&(codec.read)(value.clone()).turns, requirements)
        });
        if !lacks_state {
            return passed_on(request, value, to, options);
        }
    }
    let mut conversation = (codec.read)(value);
    let back = conversation.prepare(to, options, losses)?;
    let model = conversation.settings.text(SettingKey::Model).map(String::from);
    Ok(ConvertedRequest { json: conversation.write(to, ids)?, model, back })
}

impl Conversation {
    /// Reads a request of a protocol.
    ///
    /// # Errors
    ///
    /// As [`convert_request`].
    pub fn read(
        protocol: ProtocolKind,
        request: &str,
        limits: &Limits,
    ) -> Result<Self, ConvertError> {
        Ok((known(protocol)?.read)(object(request, limits)?))
    }

    /// Adds an answer as the next turns: the snapshot of a reader of the protocol, or a message or
    /// item of its requests.
    ///
    /// # Errors
    ///
    /// As [`convert_request`].
    pub fn append(
        &mut self,
        protocol: ProtocolKind,
        answer: &str,
        limits: &Limits,
    ) -> Result<(), ConvertError> {
        (known(protocol)?.append)(self, object(answer, limits)?);
        Ok(())
    }

    /// Makes the conversation valid for a protocol, and notes what is changed. Returns how the
    /// names of the answer's calls are mapped back. Preparing it again after turns were added
    /// changes only these.
    ///
    /// # Errors
    ///
    /// As [`convert_request`].
    pub fn prepare(
        &mut self,
        to: ProtocolKind,
        options: &RequestOptions,
        losses: &mut Losses,
    ) -> Result<Back, ConvertError> {
        let codec = known(to)?;
        if let Some(model) = &options.model {
            self.settings.set(SettingKey::Model, model.as_str());
        }
        if let Some(stream) = options.stream {
            self.settings.set(SettingKey::Stream, stream);
        }
        let requirements = (codec.requirements)(self.settings.text(SettingKey::Model));
        Ok(normalise(self, requirements, options.scope.as_deref(), losses))
    }

    /// Writes the request of a protocol. The conversation was [prepared](Self::prepare) for it.
    ///
    /// # Errors
    ///
    /// As [`convert_request`].
    pub fn write(&self, to: ProtocolKind, ids: &mut dyn IdSource) -> Result<String, ConvertError> {
        Ok((known(to)?.write)(self, ids))
    }
}

pub(super) fn known(protocol: ProtocolKind) -> Result<&'static RequestCodec, ConvertError> {
    codec(protocol).ok_or_else(|| {
        let given = ["the protocol `", protocol.as_str(), "` was given for a request"].concat();
        let instead = "use a protocol that this build has requests of";
        ConvertError::Usage(UsageError::new("protocol-not-converted", given, instead))
    })
}

/// Parses the JSON object of a request.
pub(super) fn object(json: &str, limits: &Limits) -> Result<Value, ConvertError> {
    let rejected = |problem| ConvertError::Request(InvalidRequest::new(vec![problem]));
    let value = json_within(json, limits).map_err(rejected)?;
    match value {
        Value::Object(_) => Ok(value),
        other => Err(rejected(Problem::new(vec!["body".into()], Fault::DictType, &other))),
    }
}
