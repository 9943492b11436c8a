//! AG-UI. Its streams are recognised, so that whoever reads one as something else is told; they are not read yet.

mod detect;

pub(crate) use detect::detect;
