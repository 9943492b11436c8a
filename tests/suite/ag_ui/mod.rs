//! AG-UI.

mod builder;
mod official;
mod request;
