//! Gemini and the hub. Streams are read, requests are converted both ways.

mod source;

pub use source::FromGemini;

use crate::hub::conversation::RequestCodec;
use crate::hub::spoke;
use crate::protocols::gemini::Gemini;
use crate::protocols::gemini::conversation::REQUESTS;

spoke!(Gemini: source::State {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&REQUESTS)
    }
} => hub);
