//! Chat Completions and the hub. Streams are read, requests are converted both ways.

mod source;

pub use source::FromChat;

use crate::hub::conversation::RequestCodec;
use crate::hub::conversion;
use crate::protocols::chat::Chat;
use crate::protocols::chat::conversation::REQUESTS;

conversion!(Chat: source::ChatSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&REQUESTS)
    }
} => hub);
