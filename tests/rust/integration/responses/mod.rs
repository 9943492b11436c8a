//! OpenAI Responses.

mod builder;
mod empty_ends;
mod reading;
mod request;
