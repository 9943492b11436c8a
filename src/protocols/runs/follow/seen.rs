//! The cursors that have been read: a frame that comes again is known by its own.

use alloc::vec::Vec;

/// So many cursors are known at least; older ones are forgotten. A server sends again what it sent shortly before.
const KNOWN: usize = 1 << 18;

/// A set of texts, each as a number of 64 bits: eight bytes for each, however long it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    recent: Table,
    /// Full, and replaced when the recent one is.
    older: Table,
}

impl Seen {
    /// Whether it is new.
    pub fn add(&mut self, id: &str) -> bool {
        let number = number(id);
        if self.older.has(number) || !self.recent.add(number) {
            return false;
        }
        if self.recent.length == KNOWN {
            self.older = core::mem::take(&mut self.recent);
        }
        true
    }
}

/// Numbers other than 0, each at the first free place from where it belongs on.
#[derive(Clone, Debug, Default)]
struct Table {
    /// As many as a power of two, at most half of them in use; 0 where none is.
    places: Vec<u64>,
    length: usize,
}

impl Table {
    fn has(&self, number: u64) -> bool {
        !self.places.is_empty() && self.places[self.place(number)] == number
    }

    /// Whether it was not there.
    fn add(&mut self, number: u64) -> bool {
        if self.length * 2 >= self.places.len() {
            let larger = alloc::vec![0; (self.places.len() * 2).max(64)];
            let places = core::mem::replace(&mut self.places, larger);
            for number in places.into_iter().filter(|number| *number != 0) {
                let place = self.place(number);
                self.places[place] = number;
            }
        }
        let place = self.place(number);
        let is_new = self.places[place] == 0;
        self.places[place] = number;
        self.length += usize::from(is_new);
        is_new
    }

    /// Where it is, or could be put.
    fn place(&self, number: u64) -> usize {
        let last = self.places.len() - 1;
        let mut at = number as usize & last;
        while self.places[at] != 0 && self.places[at] != number {
            at = (at + 1) & last;
        }
        at
    }
}

/// FNV-1a, mixed once more so that texts that end differently lie far apart; never 0.
fn number(text: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    (hash ^ (hash >> 32)).max(1)
}
