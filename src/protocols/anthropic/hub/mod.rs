//! Anthropic Messages and the hub. Streams are read, requests are converted both ways.

mod source;

pub use source::FromAnthropic;

use crate::hub::conversation::RequestCodec;
use crate::hub::conversion;
use crate::protocols::anthropic::Anthropic;
use crate::protocols::anthropic::conversation::REQUESTS;

conversion!(Anthropic: source::AnthropicSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&REQUESTS)
    }
} => hub);
