//! What joins the crate with the libraries around it, a feature each. Nothing else in the crate does any IO, and nothing here
//! does more than hand it over.

#[cfg(feature = "axum")]
pub mod axum;
#[cfg(feature = "futures")]
pub mod futures;
#[cfg(feature = "reqwest")]
pub mod reqwest;
#[cfg(feature = "web")]
pub mod web;
