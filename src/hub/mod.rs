//! Conversion: any supported protocol to any other, with a list of what was lost.
//!
//! The hub has its own list of steps, richer than any protocol. Two push transducers connect a
//! protocol to it: a
//! [source](ToHub) reads the protocol's events and emits steps, a [target](FromHub) receives steps and writes events.
//! Each [`Step`] is one step of a run. The hub puts the steps in a legal order, so the target's
//! stream is legal even if the source's is not. Information that the target cannot represent
//! becomes a [`Loss`], never an error; `docs/reference/losses.md` lists all losses.
//!
//! A step is not an event of a protocol. Events can repeat content (a completed text after its
//! pieces, all messages in the last event); an engine reads them. The sources of this crate are its
//! engines, so a conversion recovers from violations as a [`Reader`](crate::Reader) does, and every
//! piece of text is passed on exactly once.
//!
//! [`Converter`](crate::convert::Converter) reads and writes bytes.
//!
//! # A custom protocol
//!
//! In this example, a server sends lines of JSON: `{"say":…}`, `{"tool":…,"id":…,"with":…}`,
//! `{"bye":true}`. A source converts its lines to steps of the hub. Messages and parts are numbers;
//! the hub adds missing steps (the start of a message, the end of a part).
//!
//! ```
//! use agentwire::ag_kit::hub::ToAgKit;
//! use agentwire::convert::Answer;
//! use agentwire::hub::steps::Lines;
//! use agentwire::hub::{EndStatus, FromHub, Hub, EventOutput, RunEnd, Step, ToHub};
//! use agentwire::json::Value;
//!
//! #[derive(Default)]
//! struct FromChat(u32);
//!
//! impl ToHub for FromChat {
//!     type Event<'e> = &'e str;
//!
//!     fn feed(&mut self, line: &str, hub: &mut Hub<'_>) {
//!         let read = Value::parse(line, 64).unwrap_or_default();
//!         let text = |name| read.get(name).and_then(Value::as_str);
//!         let (message, part) = (self.0, 0);
//!         if let Some(piece) = text("say") {
//!             hub.emit(&Step::Text { message, part, piece });
//!         } else if let (Some(name), Some(id), Some(piece)) = (text("tool"), text("id"), text("with")) {
//!             self.0 += 2; // a message for the call, and another one for what is said after it
//!             let message = message + 1;
//!             hub.emit(&Step::call(message, part, id, name, &[]));
//!             hub.emit(&Step::Arguments { message, part, piece });
//!             hub.emit(&Step::EndPart { message, part, whole: true });
//!         } else if read.get("bye").is_some() {
//!             hub.emit(&Step::End(&RunEnd::new(EndStatus::Completed)));
//!         } else {
//!             hub.lose("unknown-line", line, "the chat protocol has no such line");
//!         }
//!     }
//!
//!     fn finish(&mut self, _aborted: bool, _hub: &mut Hub<'_>) {}
//! }
//!
//! /// And to write it:
//! struct ToChat;
//!
//! impl FromHub for ToChat {
//!     type Event = String;
//!
//!     fn feed(&mut self, event: &Step<'_>, out: &mut EventOutput<'_, String>) {
//!         match event {
//!             Step::Text { piece, .. } => out.emit(Value::from([("say", (*piece).into())]).to_json() + "\n"),
//!             Step::End(_) => out.emit("{\"bye\":true}\n".to_owned()),
//!             Step::Call { id, .. } => out.lose("tool-call", id, "this chat only listens"),
//!             _ => {}
//!         }
//!     }
//! }
//!
//! let chat = b"{\"say\":\"I look\"}\n{\"tool\":\"weather\",\"id\":\"c\",\"with\":\"{}\"}\n{\"bye\":true}\n";
//! let mut lines = Lines::new(&agentwire::Limits::default());
//! let mut there = FromChat::default().then(ToAgKit::new());
//! let mut answer = FromChat::default().then(Answer::new());
//! let mut echo = FromChat::default().then(ToChat);
//! let (mut ag_kit, mut again) = (Vec::new(), String::new());
//! for chunk in chat.chunks(5) {
//!     lines.push(chunk, &mut |line| {
//!         there.feed(line, |event| ag_kit.push(event.into_json()));
//!         answer.feed(line, |()| {});
//!         echo.feed(line, |line| again += &line);
//!     });
//! }
//! there.finish(false, |event| ag_kit.push(event.into_json()));
//! assert_eq!(ag_kit[0], r#"{"type":"text","content":"I look"}"#);
//! assert_eq!(ag_kit[1], r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"weather"}"#);
//! assert_eq!(ag_kit[4], "[DONE]");
//!
//! let call = &answer.target().snapshot().tool_calls[0];
//! assert_eq!(call.name.as_deref(), Some("weather"));
//! assert_eq!(again, "{\"say\":\"I look\"}\n{\"bye\":true}\n");
//! assert_eq!(echo.losses().count("tool-call"), 1);
//! ```
//!
//! Any source can be [connected to](ToHub::then) any target. The target
//! [`Answer`](crate::convert::Answer) keeps the answer as a snapshot, and reports violations of the order of steps in tests.

pub(crate) mod approval;
pub mod conversation;
pub(crate) mod conversion;
mod growing;
pub(crate) mod ids;
mod kept;
pub(crate) mod kind;
pub(crate) mod loss;
pub(crate) mod metadata;
mod model_run;
pub(crate) mod note;
pub(crate) mod payload;
mod phase;
pub(crate) mod sequencer;
pub(crate) mod source;
pub(crate) mod step;
pub mod steps;
pub(crate) mod transducer;
mod usage;

pub use conversion::WriteOptions;
pub(crate) use conversion::{ProtocolName, conversion};
pub(crate) use growing::{Growing, GrowingMessage};
pub(crate) use ids::{CallIds, can_repeat, message_id};
pub(crate) use kept::KeptMembers;
pub use kind::{EndError, EndStatus, MediaKind, MessageEnd, MessageKind, Role, RunEnd, ToolKind};
pub use loss::{Loss, LossClass, Losses};
pub(crate) use loss::{LossChecker, UnsupportedSteps};
pub(crate) use metadata::{OPAQUE, PendingMetadata, present_members, put_member};
pub(crate) use model_run::ModelRun;
pub use note::Note;
pub(crate) use payload::MediaBuffer;
pub use payload::Payload;
pub(crate) use phase::MessagePhase;
pub(crate) use source::{FoldSource, StepSink, StepSource, json_of};
pub(crate) use step::{ITEM_TYPE, NAMESPACE};
pub use step::{InputFormat, Step, StepMeta};
pub use transducer::{EventOutput, FromHub, Hub, Then, ToHub};
pub(crate) use transducer::{OpaquePlace, SealedPlace};
pub(crate) use usage::{add_usage, complete_usage};
