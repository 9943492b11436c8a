//! AG-UI.

mod binary;
mod compact;
mod official;
mod older_parts;
mod options;
mod request;
mod writing;
