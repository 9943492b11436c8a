//! AG-UI.

mod official;
