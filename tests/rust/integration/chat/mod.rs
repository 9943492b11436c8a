//! OpenAI Chat Completions.

mod reading;
mod request;
