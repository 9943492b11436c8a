//! Runs: following one, and on a server the log and the requests.

mod follower;
#[cfg(feature = "wasm")]
mod log;
#[cfg(feature = "wasm")]
mod request;
