//! Requests: what is read, what is written, what is refused.

mod api;
mod asked;
mod errors;
mod truth;
