//! Chat Completions and the hub.

mod source;
mod target;

use alloc::string::String;

pub use source::FromChat;
pub use target::ToChat;

use crate::hub::conversation::RequestCodec;
use crate::hub::{WriteOptions, conversion};
use crate::protocols::chat::Chat;
use crate::protocols::chat::conversation::REQUESTS;

conversion!(Chat: source::ChatSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&REQUESTS)
    }
} => hub => ToChat(WriteOptions) {
    fn can_write_pieces(target: &mut ToChat) -> bool {
        target.is_after_piece()
    }

    #[inline]
    fn write_pieces(target: &mut ToChat, text: &str, ends: &[usize], out: &mut String) {
        target.append_pieces(text, ends, out);
    }
});
