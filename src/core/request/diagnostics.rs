//! Collects the problems of a request while it is read, so that an error lists more than the first one.

use alloc::vec::Vec;

use super::{Fault, PathStep, Problem};
use crate::json::Value;

/// The maximum number of problems of one request that are kept. The others are counted.
const MOST: usize = 100;

/// The problems so far, and the current place.
#[derive(Debug)]
pub(crate) struct Diagnostics {
    found: Vec<Problem>,
    omitted: usize,
    here: Vec<PathStep>,
    /// The number of steps of `here` that lead to the request.
    root: usize,
}

impl Diagnostics {
    /// Creates empty diagnostics; `place` is the path of the request in error messages.
    pub(crate) fn at(place: Option<&'static str>) -> Self {
        let here: Vec<_> = place.into_iter().map(PathStep::from).collect();
        Diagnostics { found: Vec::new(), omitted: 0, root: here.len(), here }
    }

    /// Returns the problems. The last one is the number of those that were not kept, if any.
    pub(crate) fn into_problems(mut self) -> Vec<Problem> {
        if self.omitted > 0 {
            self.here.truncate(self.root);
            self.found.push(Problem::new(self.here, Fault::Omitted(self.omitted), &Value::Null));
        }
        self.found
    }

    /// Returns the number of problems.
    pub(super) fn count(&self) -> usize {
        self.found.len() + self.omitted
    }

    /// Reads a value one step further in.
    pub(crate) fn inside<T>(&mut self, step: impl Into<PathStep>, read: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(step.into());
        let value = read(self);
        self.leave();
        value
    }

    /// Notes a fault of a member with a name that the protocol does not declare.
    #[cfg(feature = "runs")]
    pub(crate) fn note_undeclared(&mut self, name: &str, fault: Fault, got: &Value) {
        let step = PathStep::Name(super::abridged::text(name).into());
        self.inside(step, |diagnostics| diagnostics.note(fault, got));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn enter(&mut self, step: PathStep) {
        self.here.push(step);
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn leave(&mut self) {
        self.here.pop();
    }

    /// Adds a fault of the current value.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn note(&mut self, fault: Fault, got: &Value) {
        match self.found.len() < MOST {
            true => self.found.push(Problem::new(self.here.clone(), fault, got)),
            false => self.omitted += 1,
        }
    }

    /// Adds a fault of a member of the current value.
    pub(crate) fn note_member(&mut self, name: &'static str, fault: Fault, got: &Value) {
        self.inside(name, |diagnostics| diagnostics.note(fault, got));
    }

    /// Creates diagnostics for a trial at the same place.
    pub(crate) fn branch(&self) -> Diagnostics {
        Diagnostics { found: Vec::new(), omitted: 0, here: self.here.clone(), root: self.root }
    }

    /// Adds the problems of a trial.
    pub(crate) fn absorb(&mut self, tried: Diagnostics) {
        let room = MOST - self.found.len();
        self.omitted += tried.omitted + tried.found.len().saturating_sub(room);
        self.found.extend(tried.found.into_iter().take(room));
    }
}
