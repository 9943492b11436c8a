//! AG-UI.

mod binary;
mod builder;
mod official;
mod request;
