//! AG-UI.

mod binary;
mod official;
