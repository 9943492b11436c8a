//! AG-UI.

mod binary;
mod compact;
mod official;
