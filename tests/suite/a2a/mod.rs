//! A2A.

mod official;
