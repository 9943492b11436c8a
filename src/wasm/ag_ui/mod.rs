//! AG-UI: building streams, requests.

mod request;
mod stream;
