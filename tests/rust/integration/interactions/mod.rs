//! Gemini Interactions.

mod reading;
mod request;
mod resuming;
