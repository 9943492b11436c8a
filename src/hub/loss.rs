//! What a conversion could not carry.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::violation::shorten;
use crate::json::{Object, write_list};

/// Something that did not arrive as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// Stable kebab-case name of what is missing.
    pub what: &'static str,
    /// Where it stood: the id of a message or call, the name of an event or member. Empty for the run itself.
    pub location: String,
    /// Why it could not be carried, and what became of it.
    pub why: &'static str,
    /// The number of the source's event that said it, from 0; how many there were when it is about the end of the stream.
    pub event: u64,
}

/// All losses of a conversion: the first ones in full, all of them counted.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    list: Vec<Loss>,
    counts: Vec<(&'static str, u64)>,
    /// The event at work.
    event: u64,
}

impl Losses {
    /// How many losses are kept in full.
    pub const KEPT: usize = 1_000;

    /// From here on losses are of that event.
    pub(crate) fn at(&mut self, event: u64) {
        self.event = event;
    }

    /// Notes a loss.
    pub fn note(&mut self, what: &'static str, location: &str, why: &'static str) {
        match self.counts.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((what, 1)),
        }
        if self.list.len() < Self::KEPT {
            self.list.push(Loss { what, location: shorten(location), why, event: self.event });
        }
    }

    /// The first losses, in the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = &Loss> {
        self.list.iter()
    }

    /// How often each kind of loss was met, in the order of the first ones.
    pub fn counts(&self) -> &[(&'static str, u64)] {
        &self.counts
    }

    /// How often a kind of loss was met.
    pub fn count(&self, what: &str) -> u64 {
        self.counts.iter().find(|(known, _)| *known == what).map_or(0, |(_, count)| *count)
    }

    /// Whether everything was carried.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// `{"losses":[{"what","where","why","event"}],"counts":{…}}`
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
