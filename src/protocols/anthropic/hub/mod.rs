//! Anthropic Messages and the hub. Streams are read, requests are converted both ways.

mod request;
mod source;

pub use source::FromAnthropic;

use crate::hub::spoke;
use crate::protocols::anthropic::Anthropic;

spoke!(Anthropic: source::State => hub);
