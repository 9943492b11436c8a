//! AG-Kit: building streams, requests.

mod request;
mod stream;
