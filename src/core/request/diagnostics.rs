//! What is wrong with a request: collected while it is read, so that a refusal says everything.

#[cfg(feature = "runs")]
use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::{Fault, PathStep, Problem};
use crate::json::Value;

/// What was wrong so far, and where the reading is.
#[derive(Debug)]
pub(crate) struct Diagnostics {
    pub(crate) found: Vec<Problem>,
    here: Vec<PathStep>,
}

impl Diagnostics {
    /// Nothing yet; `place` is where refusals say that the request stands.
    pub(crate) fn at(place: Option<&'static str>) -> Self {
        Diagnostics { found: Vec::new(), here: place.into_iter().map(PathStep::from).collect() }
    }

    /// Reads something one step further in.
    pub(crate) fn inside<T>(&mut self, step: impl Into<PathStep>, read: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(step.into());
        let value = read(self);
        self.leave();
        value
    }

    /// The same for a member whose name the request made up.
    #[cfg(feature = "runs")]
    pub(crate) fn note_undeclared(&mut self, name: &str, fault: Fault, got: Value) {
        self.inside(PathStep::Name(name.to_owned().into()), |diagnostics| diagnostics.note(fault, got));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn enter(&mut self, step: PathStep) {
        self.here.push(step);
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn leave(&mut self) {
        self.here.pop();
    }

    /// Notes a fault of the value that is being read.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn note(&mut self, fault: Fault, got: Value) {
        self.found.push(Problem { place: self.here.clone(), fault, got });
    }

    /// Notes a fault of a member of that value.
    pub(crate) fn note_member(&mut self, name: &'static str, fault: Fault, got: Value) {
        self.inside(name, |diagnostics| diagnostics.note(fault, got));
    }

    /// Diagnostics that start at the same place, for a try.
    pub(crate) fn branch(&self) -> Diagnostics {
        Diagnostics { found: Vec::new(), here: self.here.clone() }
    }
}
