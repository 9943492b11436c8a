//! Gemini and the hub. Streams are read, requests are converted both ways.

mod request;
mod source;

pub use source::FromGemini;

use crate::hub::spoke;
use crate::protocols::gemini::Gemini;

spoke!(Gemini: source::State => hub);
