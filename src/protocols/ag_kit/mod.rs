//! AG-Kit's send-message protocol: requests, streams, and the growing answer.
//!
//! A **turn** is the answer to one request. It consists of text, tool calls and interrupts, with
//! one event per piece, and ends with `[DONE]`. Only calls and interrupts have ids, and nothing is
//! numbered.
//!
//! [`lifecycle`] defines the legal order of events. [`AgKit`] is the protocol for a
//! [`Reader`](crate::Reader) and an [`EventWriter`](crate::write::EventWriter), and [`request`] has the
//! requests of clients.
//!
//! # Basic chat
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::ag_kit::request::SendMessageInput;
//! use agentwire::ag_kit::{AgKit, Status};
//!
//! let request = SendMessageInput::user("2da2146d", "hi").to_json()?;
//! assert_eq!(request, r#"{"messages":[{"role":"user","content":"hi"}],"conversationId":"2da2146d"}"#);
//!
//! let mut reader = Reader::new(AgKit::default());
//! for chunk in [
//!     &b"data: {\"type\": \"text\", \"content\": \"Hello\"}\n\ndata: {\"ty"[..],
//!     b"pe\":\"text\",\"content\":\" there!\"}\n\ndata: [DONE]\n\n",
//! ] {
//!     reader.push(chunk);
//! }
//! let outcome = reader.finish();
//! assert_eq!((outcome.snapshot.text().as_str(), outcome.snapshot.status), ("Hello there!", Status::Completed));
//! # Ok::<(), agentwire::UsageError>(())
//! ```
//!
//! # Client tool calls
//!
//! The agent calls a tool of the request; the client runs it and sends the result.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::ag_kit::Status;
//! use agentwire::ag_kit::request::{SendMessageInput, Tool};
//! use agentwire::json::Value;
//!
//! let mut request = SendMessageInput::user("2da2146d", "Change the background to blue.");
//! request.tools.push(Tool::new("change-background-color", "Change it.", Value::from([("type", "object".into())])));
//! assert!(request.to_json()?.contains(r#""parameters":"{\"type\":\"object\"}""#)); // as text, as the protocol wants it
//!
//! let mut reader = Reader::new(request.protocol()); // knows which tools are the client's
//! reader.push(br#"data: {"type":"tool-call-start","toolCallId":"a","toolCallName":"change-background-color"}
//!
//! data: {"type":"tool-call-args","toolCallId":"a","delta":"{\"color\":"}
//!
//! "#);
//! let call = reader.snapshot().tool_calls().next().expect("a call");
//! assert_eq!((call.arguments.as_str(), &call.parsed_arguments), (r#"{"color":"#, &None));
//! reader.push(br#"data: {"type":"tool-call-args","toolCallId":"a","delta":" \"blue\"}"}
//!
//! data: {"type":"tool-call-end","toolCallId":"a"}
//!
//! data: [DONE]
//!
//! "#);
//! let turn = reader.finish().snapshot;
//! assert_eq!(turn.status, Status::AwaitingToolResults);
//! let answers = turn.pending().map(|call| {
//!     let color = call.parsed_arguments.as_ref().and_then(|arguments| arguments.get("color"));
//!     (&call.tool_call_id, format!("changed to {}", color.and_then(Value::as_str).unwrap_or("nothing")))
//! });
//! let next = SendMessageInput::tool_answers("2da2146d", &turn, answers)?;
//! assert_eq!(
//!     next.to_json()?,
//!     r#"{"messages":[{"role":"tool","content":"changed to blue","toolCallId":"a"}],"conversationId":"2da2146d"}"#,
//! );
//! # Ok::<(), agentwire::UsageError>(())
//! ```
//!
//! # Server tool calls
//!
//! The server calls the tool itself; the client only shows the call.
//!
//! ```
//! use agentwire::ag_kit::events::Event;
//! use agentwire::ag_kit::{AgKit, Part, Status, ToolState};
//! use agentwire::Reader;
//! use agentwire::write::EventWriter;
//!
//! let mut reader = Reader::new(AgKit::default());
//! let mut out = EventWriter::new(AgKit::default())?;
//! for event in [
//!     Event::ToolCallStart { tool_call_id: "c1".into(), tool_call_name: "get_weather".into() },
//!     Event::ToolCallArgs { tool_call_id: "c1".into(), delta: r#"{"city":"北京"}"#.into() },
//!     Event::ToolCallEnd { tool_call_id: "c1".into() },
//!     Event::ToolResult { tool_call_id: "c1".into(), result: "晴，25°C".into() },
//!     Event::Text { content: "Sunny.".into() },
//!     Event::Done,
//! ] {
//!     reader.push(out.write(&event)?.as_sse().as_bytes());
//! }
//! out.finish()?;
//! let turn = reader.finish().snapshot;
//! assert_eq!(turn.status, Status::Completed);
//! let [Part::ToolCall(call), Part::Text(text)] = &turn.parts[..] else { panic!("a call and a text") };
//! assert_eq!((call.state, call.result.as_deref()), (ToolState::OutputAvailable, Some("晴，25°C")));
//! assert_eq!(text.text, "Sunny.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Interrupts
//!
//! The agent asks; the next request resumes the run.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::ag_kit::request::SendMessageInput;
//! use agentwire::ag_kit::{AgKit, Status};
//!
//! let mut reader = Reader::new(AgKit::default());
//! reader.push(b"data: {\"type\":\"interrupt\",\"id\":\"i1\",\"payload\":{\"delete\":\"all\"}}\n\ndata: [DONE]\n\n");
//! let turn = reader.finish().snapshot;
//! assert_eq!(turn.status, Status::Interrupted);
//! let question = turn.interrupts().next().expect("a question");
//! assert!(question.payload.get("delete").is_some());
//!
//! let next = SendMessageInput::resuming("2da2146d", question, [("approved", false.into())].into());
//! assert_eq!(
//!     next.to_json()?,
//!     r#"{"messages":[],"resume":{"interruptId":"i1","payload":"{\"approved\":false}"},"conversationId":"2da2146d"}"#,
//! );
//! # Ok::<(), agentwire::UsageError>(())
//! ```

#[cfg(feature = "hub")]
mod conversation;
pub mod events;
mod fold;
#[cfg(feature = "hub")]
pub mod hub;
pub mod lifecycle;
mod model;
pub mod request;
pub mod rules;

pub use fold::AgKit;
pub use model::{
    ErrorInfo, ErrorPart, Interrupt, Part, Snapshot, Status, TextPart, ToolCall, ToolState,
};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};
