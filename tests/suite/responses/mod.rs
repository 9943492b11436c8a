//! OpenAI Responses.

mod builder;
mod reading;
mod request;
