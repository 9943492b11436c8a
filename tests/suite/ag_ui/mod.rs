//! AG-UI.

mod builder;
mod official;
