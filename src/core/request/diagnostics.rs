//! What is wrong with a request: collected while it is read, so that a refusal names more than the first problem.

use alloc::vec::Vec;

use super::{Fault, PathStep, Problem};
use crate::json::Value;

/// Problems of one request that are kept. The others are counted.
const MOST: usize = 100;

/// What was wrong so far, and where the reading is.
#[derive(Debug)]
pub(crate) struct Diagnostics {
    found: Vec<Problem>,
    omitted: usize,
    here: Vec<PathStep>,
    /// Steps of `here` that lead to the request.
    root: usize,
}

impl Diagnostics {
    /// Nothing yet; `place` is where refusals say that the request stands.
    pub(crate) fn at(place: Option<&'static str>) -> Self {
        let here: Vec<_> = place.into_iter().map(PathStep::from).collect();
        Diagnostics { found: Vec::new(), omitted: 0, root: here.len(), here }
    }

    /// Returns the problems, and as the last one the number of those that were not kept.
    pub(crate) fn into_problems(mut self) -> Vec<Problem> {
        if self.omitted > 0 {
            self.here.truncate(self.root);
            self.found.push(Problem::new(self.here, Fault::Omitted(self.omitted), &Value::Null));
        }
        self.found
    }

    /// Returns how many problems were noted.
    pub(super) fn count(&self) -> usize {
        self.found.len() + self.omitted
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

    /// Notes a fault of the value that is being read.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn note(&mut self, fault: Fault, got: &Value) {
        match self.found.len() < MOST {
            true => self.found.push(Problem::new(self.here.clone(), fault, got)),
            false => self.omitted += 1,
        }
    }

    /// Notes a fault of a member of that value.
    pub(crate) fn note_member(&mut self, name: &'static str, fault: Fault, got: &Value) {
        self.inside(name, |diagnostics| diagnostics.note(fault, got));
    }

    /// Diagnostics that start at the same place, for a try.
    pub(crate) fn branch(&self) -> Diagnostics {
        Diagnostics { found: Vec::new(), omitted: 0, here: self.here.clone(), root: self.root }
    }

    /// Notes what was wrong in a try.
    pub(crate) fn absorb(&mut self, tried: Diagnostics) {
        let room = MOST - self.found.len();
        self.omitted += tried.omitted + tried.found.len().saturating_sub(room);
        self.found.extend(tried.found.into_iter().take(room));
    }
}
