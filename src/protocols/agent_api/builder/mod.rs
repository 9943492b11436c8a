//! Builders of streams, which refuse any call that would make the stream illegal. (Spec section 2.)
//!
//! The names are those of the Python builder. Every method for an event returns it as a
//! [`WireEvent`], ready to be sent; a call that would make the stream illegal returns a [`UsageError`](crate::UsageError) with the call to use
//! instead. The legal events are defined by [`lifecycle`](super::lifecycle) only. Handles are cheap
//! to clone and may be used from several tasks; events have to be sent in the order of their
//! creation.
//!
//! ```
//! use agentwire::agent_api::RunStatus;
//! use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
//! use agentwire::builder::Counter;
//!
//! # fn main() -> Result<(), agentwire::UsageError> {
//! let response = ResponseBuilder::new(BuilderOptions::new(Counter::default(), || 1_700_000_000).session_id("s"));
//! let mut stream = vec![response.created()?, response.in_progress()?];
//!
//! let message = response.create_message_builder("assistant", "message")?;
//! stream.push(message.in_progress()?); // the opening event; nothing else of the message may come before it
//! let text = message.create_content_builder("text")?;
//! stream.push(text.add_text_delta("Hel")?);
//! stream.push(text.add_text_delta("lo")?);
//!
//! // Whatever happens now (abort, error, drop), one call ends the stream legally.
//! stream.extend(response.finish_with(RunStatus::Completed, None));
//! assert_eq!(stream.len(), 8);
//! assert!(stream[5].json().contains(r#""status":"completed""#) && stream[5].json().contains(r#""text":"Hello""#));
//! # Ok(())
//! # }
//! ```
//!
//! # Where this differs from the Python builder
//!
//! | Python | here | why |
//! |---|---|---|
//! | any order of calls | [`UsageError`](crate::UsageError) for what the lifecycle forbids | R10, R13, R17, R19, R33 |
//! | `get_message_data()` is yielded as the opening event | [`MessageBuilder::in_progress`] | it is not an event |
//! | events have no `sequence_number` | numbered from 0, unless [`BuilderOptions::numbering`] is false | R8 |
//! | a second `complete()` doubles the text | refused | R28 |
//! | `set_*` at any time, deltas always after | `set_*` only before the first delta | see [`ContentBuilder`] |
//! | an empty text completes as null | as `""` | R29d: null violates the rule `text-null` |
//! | parts in the order of completion | in the order of `index`; [`BuilderOptions::part_order`] | R21 |
//! | the index of a content counts builders | counts first events | R25: dense in order of appearance |
//! | the final output lists every message | those that were shown, in the order in which they ended, each once; [`BuilderOptions::completed_only`] | R15 |
//! | `usage` is never set | the last completed message's, unless set | R16 |
//! | no ending but `completed` | all five, and [`ResponseBuilder::finish_with`] | R13 |
//! | `reset()` at any time | not in the middle of a stream | R11 |
//! | builders from before a `reset()` stay usable | refused | their events belong to a stream that was reset |
//! | no video, no setters for audio and file | there | spec 1.2 |

mod check;
mod events;
mod message;
mod response;
mod run;

pub(crate) use crate::core::wire::WireEvent;
pub use message::{ContentBuilder, FileFields, MessageBuilder};
pub use response::ResponseBuilder;
pub use run::{BuilderOptions, PartOrder};
