//! Anthropic Messages and the hub.

mod source;
mod target;

use alloc::string::String;

pub use source::FromAnthropic;
pub use target::ToAnthropic;

use crate::core::WireEvent;
use crate::hub::conversation::RequestCodec;
use crate::hub::{WriteOptions, conversion};
use crate::protocols::anthropic::Anthropic;
use crate::protocols::anthropic::conversation::REQUESTS;

conversion!(Anthropic: source::AnthropicSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&REQUESTS)
    }
} => hub => ToAnthropic(WriteOptions) {
    fn heartbeat(target: &ToAnthropic) -> Option<WireEvent> {
        if target.is_whole() {
            return None;
        }
        let data = r#"{"type":"ping"}"#;
        Some(WireEvent::named("ping", data.len(), None, |frame| frame.push_str(data)))
    }

    fn can_write_pieces(target: &mut ToAnthropic) -> bool {
        target.is_after_piece()
    }

    #[inline]
    fn write_pieces(target: &mut ToAnthropic, text: &str, ends: &[usize], out: &mut String) {
        target.append_pieces(text, ends, out);
    }
});
