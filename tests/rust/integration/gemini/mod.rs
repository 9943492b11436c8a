//! Gemini.

mod reading;
mod request;
