//! Gemini Interactions and the hub. Streams are read, requests are converted both ways.

mod source;
mod step;

pub use source::FromInteractions;

use crate::hub::conversation::RequestCodec;
use crate::hub::conversion;
use crate::protocols::interactions::Interactions;
use crate::protocols::interactions::conversation::REQUESTS;

conversion!(Interactions: source::InteractionsSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&REQUESTS)
    }
} => hub);
