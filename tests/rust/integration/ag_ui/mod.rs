//! AG-UI.

mod binary;
mod builder;
mod compact;
mod official;
mod older_parts;
mod options;
mod request;
