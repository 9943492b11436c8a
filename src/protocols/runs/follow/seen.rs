//! The cursors that have been read, which identify repeated frames.

use alloc::vec::Vec;

/// The minimum number of cursors that are kept; older ones are forgotten. A server repeats only what it sent shortly
/// before.
const KNOWN: usize = 1 << 18;

/// A set of texts. Each takes eight bytes, its 64-bit hash, whatever its length.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    recent: Table,
    /// The last full table, which is replaced when the recent one is full.
    older: Table,
}

impl Seen {
    /// Adds an id. Returns whether it is new.
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

/// A hash table with linear probing, of numbers other than 0.
#[derive(Clone, Debug, Default)]
struct Table {
    /// The slots: a power of two of which at most half are in use, or none. A free slot is 0.
    places: Vec<u64>,
    length: usize,
}

impl Table {
    fn has(&self, number: u64) -> bool {
        !self.places.is_empty() && self.places[self.place(number)] == number
    }

    /// Adds a number. Returns whether it is new.
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

    /// Returns the slot of a number, or the free slot for it.
    fn place(&self, number: u64) -> usize {
        let last = self.places.len() - 1;
        let mut at = number as usize & last;
        while self.places[at] != 0 && self.places[at] != number {
            at = (at + 1) & last;
        }
        at
    }
}

/// Returns the FNV-1a hash, mixed once more so that texts with different ends get distant slots; never 0.
fn number(text: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    (hash ^ (hash >> 32)).max(1)
}
