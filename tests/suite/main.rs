//! One binary for all integration tests: one link, one place to see what is covered.

mod agent_api;
mod cut;
mod request_api;
mod request_errors;
mod request_truth;
mod sse;
