//! OpenAI Responses and the hub.

mod source;
mod target;

use alloc::string::String;

use super::Responses;
use super::conversation::REQUESTS;
use crate::hub::conversation::RequestCodec;
use crate::hub::{WriteOptions, conversion};
pub use source::FromResponses;
pub use target::ToResponses;

conversion!(Responses: source::ResponsesSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&REQUESTS)
    }
} => hub => ToResponses(WriteOptions) {
    fn can_write_pieces(target: &mut ToResponses) -> bool {
        target.is_after_piece()
    }

    #[inline]
    fn write_pieces(target: &mut ToResponses, text: &str, ends: &[usize], out: &mut String) {
        target.append_pieces(text, ends, out);
    }
});

/// The member of an image that has its format, such as `webp`.
const FORMAT: &str = "output_format";
