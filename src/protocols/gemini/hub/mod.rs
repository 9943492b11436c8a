//! Gemini and the hub. Streams are read, requests are converted both ways.

mod source;

pub use source::FromGemini;

use crate::hub::conversation::RequestCodec;
use crate::hub::conversion;
use crate::protocols::gemini::Gemini;
use crate::protocols::gemini::conversation::REQUESTS;

conversion!(Gemini: source::GeminiSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&REQUESTS)
    }
} => hub);
