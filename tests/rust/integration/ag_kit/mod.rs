//! AG-Kit: recorded and written streams, the builder, limits, requests, and which protocol a stream
//! is.

mod builder;
pub mod client;
mod detect;
mod events;
mod limits;
mod request;
mod shapes;
