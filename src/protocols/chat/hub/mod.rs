//! Chat Completions and the hub. Streams are read, requests are converted both ways.

mod request;
mod source;

pub use source::FromChat;

use crate::hub::spoke;
use crate::protocols::chat::Chat;

spoke!(Chat: source::State => hub);
