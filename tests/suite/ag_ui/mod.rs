//! AG-UI.

mod binary;
mod builder;
mod compact;
mod official;
mod request;
