//! The examples of the features, run: what a user copies works.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

#[path = "../../examples/ask.rs"]
#[allow(dead_code, reason = "an example has a main function, too")]
mod ask;
#[path = "../../examples/keep.rs"]
#[allow(dead_code, reason = "an example has a main function, too")]
mod keep;
#[path = "../../examples/serve.rs"]
#[allow(dead_code, reason = "an example has a main function, too")]
mod serve;

mod emission;
mod http;
mod updates;
