//! Adapters between the crate and other libraries, with a feature each. All IO of the crate is
//! here, and the adapters only pass bytes on.

#[cfg(feature = "axum")]
pub mod axum;
#[cfg(feature = "futures")]
pub mod futures;
#[cfg(feature = "reqwest")]
pub mod reqwest;
#[cfg(feature = "web")]
pub mod web;
