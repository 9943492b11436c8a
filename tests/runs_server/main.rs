//! The runs service behind axum, on each store.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod agent;
