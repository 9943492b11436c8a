//! OpenAI Chat Completions.

mod reading;
mod request;
mod writing;
