//! Runs the examples of the features: the code that a user copies works.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

#[path = "../../../examples/a2a.rs"]
#[allow(
    dead_code,
    clippy::print_stdout,
    reason = "an example has a main function, which shows what it does"
)]
mod a2a_server;
#[path = "../../../examples/ask.rs"]
#[allow(
    dead_code,
    clippy::print_stdout,
    reason = "an example has a main function, which shows what it does"
)]
mod ask;
#[path = "../../../examples/keep.rs"]
#[allow(
    dead_code,
    clippy::print_stdout,
    reason = "an example has a main function, which shows what it does"
)]
mod keep;
#[path = "../../../examples/proxy.rs"]
#[allow(
    dead_code,
    clippy::print_stdout,
    reason = "an example has a main function, which shows what it does"
)]
mod proxy;
#[path = "../../../examples/serve.rs"]
#[allow(
    dead_code,
    clippy::print_stdout,
    reason = "an example has a main function, which shows what it does"
)]
mod serve;

#[path = "../sockets_agent/agent.rs"]
mod sockets_agent;

mod a2a;
mod emission;
mod examples;
mod http;
mod requests;
mod sockets;
mod updates;
