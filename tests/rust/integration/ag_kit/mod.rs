//! AG-Kit: recorded and written streams, limits, requests, and which protocol a stream is.

pub mod client;
mod detect;
mod events;
mod limits;
mod request;
mod shapes;
