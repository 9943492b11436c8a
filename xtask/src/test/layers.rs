//! The suite `layers`: the order of the crate's modules, read from the sources.

use super::Session;
use crate::{
    checkout,
    failure::{Failure, Outcome},
    layers,
};

pub fn run(session: &mut Session) -> Outcome<()> {
    session.check("no module names one above it, or in a circle", || {
        let complaints = layers::complaints(&checkout::root())?;
        if complaints.is_empty() {
            return Ok(());
        }
        let sentence = "the arrows between modules go down only (xtask/src/layers/table.rs): move what is named, or what names it";
        Err(Failure::new(sentence).with_output(complaints.join("\n")))
    });
    session.check("no file of the package names a protocol but its own", || {
        let complaints = layers::package::complaints(&checkout::root())?;
        if complaints.is_empty() {
            return Ok(());
        }
        let sentence = "pkg/src knows protocols by their tables: generate what has to be known, or move it to the protocol's folder";
        Err(Failure::new(sentence).with_output(complaints.join("\n")))
    });
    session.check("no file of the package imports in a circle", || {
        let complaints = layers::package::circles(&checkout::root())?;
        if complaints.is_empty() {
            return Ok(());
        }
        let sentence =
            "files of pkg/src import each other in a circle: move what both need into a file below both";
        Err(Failure::new(sentence).with_output(complaints.join("\n")))
    });
    Ok(())
}
