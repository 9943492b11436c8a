//! OpenAI Responses.

mod empty_ends;
mod reading;
mod request;
mod steering;
