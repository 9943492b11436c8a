//! Writing an answer in any protocol: calls of an agent become a stream.
//!
//! ```
//! use agentwire::emit::Writer;
//! use agentwire::agent_api::builder::BuilderOptions;
//! use agentwire::builder::Counter;
//! use agentwire::ProtocolKind;
//!
//! # fn main() -> Result<(), agentwire::UsageError> {
//! let mut out = Writer::new(ProtocolKind::AgKit, BuilderOptions::new(Counter::default(), || 1_700_000_000))?;
//! out.text("It is ");
//! out.text("21 degrees.");
//! let call = out.call("get_weather");
//! out.arguments(&call, "{\"city\":\"Beijing\"}");
//! out.result(&call, "21");
//! out.complete();
//! assert_eq!(out.take().lines().next(), Some(r#"data: {"type":"text","content":"It is "}"#));
//! # Ok(())
//! # }
//! ```
//!
//! With the feature `futures`, `emit` runs an agent that is an `async` function and is the stream
//! that it writes.

#[cfg(feature = "futures")]
mod answer;
#[cfg(feature = "futures")]
mod emission;
#[cfg(feature = "futures")]
mod failure;
#[cfg(feature = "futures")]
mod forward;
#[cfg(any(feature = "axum", feature = "wasm", test))]
mod model_list;
#[cfg(feature = "futures")]
mod out;
#[cfg(feature = "axum")]
mod recorder;
#[cfg(any(feature = "futures", feature = "wasm"))]
pub(crate) mod relay;
#[cfg(feature = "futures")]
mod request;
mod writer;

#[cfg(feature = "futures")]
pub use answer::{IntoAnswer, TextPiece, Texts};
#[cfg(feature = "axum")]
pub(crate) use emission::emit_written;
#[cfg(feature = "futures")]
pub use emission::{EarlyFailure, Emission, EmitOptions, emit};
#[cfg(feature = "futures")]
pub use failure::{AnyError, Failure, NoOutput};
#[cfg(feature = "futures")]
pub use forward::{AnswerStream, ForwardError, Forwarded};
#[cfg(any(feature = "axum", feature = "wasm"))]
pub use model_list::ListedModel;
#[cfg(any(feature = "axum", feature = "wasm"))]
pub(crate) use model_list::{ModelList, ModelListForm, ModelListPath};
#[cfg(feature = "futures")]
pub use out::{Out, OutCall};
#[cfg(feature = "futures")]
pub use relay::ForwardedCall;
#[cfg(feature = "futures")]
pub use request::{
    ConversationMessage, ConversationRequest, ConversationTool, MessagePart, MessageRole, Question,
    ToolPart, ToolState,
};
pub use writer::{CallId, Writer};
