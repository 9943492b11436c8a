//! AG-UI: building streams, events in other forms, requests.

mod events;
mod request;
mod stream;
