//! Requests: what is read, what is written, what is refused.

mod api;
mod errors;
mod truth;
