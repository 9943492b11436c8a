//! A2A.

mod official;
mod request;
mod writing;
