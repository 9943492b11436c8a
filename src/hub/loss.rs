//! The losses of a conversion: information that the target cannot represent.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::violation::shorten;
use crate::json::{Object, write_list};

/// Information that was lost or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// Stable kebab-case name of the loss.
    pub what: &'static str,
    /// The location: the id of a message or call, the name of an event or member. Empty for the run itself.
    pub location: String,
    /// The reason for the loss, and its effect.
    pub why: &'static str,
    /// The number of the source's event, from 0. At the end of the stream, the number of events.
    pub event: u64,
}

/// All losses of a conversion. Only the first ones are kept in full; all are counted.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    list: Vec<Loss>,
    counts: Vec<(&'static str, u64)>,
    /// The number of the current event.
    event: u64,
}

impl Losses {
    /// The number of losses that are kept in full.
    pub const KEPT: usize = 1_000;

    /// Sets the event that the next losses belong to.
    pub(crate) fn at(&mut self, event: u64) {
        self.event = event;
    }

    /// Adds a loss.
    pub fn note(&mut self, what: &'static str, location: &str, why: &'static str) {
        match self.counts.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((what, 1)),
        }
        if self.list.len() < Self::KEPT {
            self.list.push(Loss { what, location: shorten(location), why, event: self.event });
        }
    }

    /// Iterates over the first losses, in the order in which they occurred.
    pub fn iter(&self) -> impl Iterator<Item = &Loss> {
        self.list.iter()
    }

    /// Returns the number of losses of each kind, in the order of first occurrence.
    pub fn counts(&self) -> &[(&'static str, u64)] {
        &self.counts
    }

    /// Returns the number of losses of a kind.
    pub fn count(&self, what: &str) -> u64 {
        self.counts.iter().find(|(known, _)| *known == what).map_or(0, |(_, count)| *count)
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns `{"losses":[{"what","where","why","event"}],"counts":{…}}`.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out, false);
        write_list(&self.list, object.member("losses"), Loss::write);
        let mut counts = Object::open(object.member("counts"), false);
        for (what, count) in &self.counts {
            counts.integer(what, Some(*count as i64));
        }
        counts.close();
        object.close();
        out
    }
}

impl Loss {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out, false);
        object.string("what", Some(self.what));
        object.string("where", Some(&self.location));
        object.string("why", Some(self.why));
        object.integer("event", Some(self.event as i64));
        object.close();
    }
}
