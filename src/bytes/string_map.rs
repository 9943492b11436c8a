//! Maps with keys that a stream chooses: names and numbers.

use alloc::vec::Vec;

/// A map from names to values, in the order of insertion.
#[derive(Clone, Debug)]
pub(crate) struct StringMap<T> {
    keys: KeyTree,
    values: Vec<T>,
}

/// A map from numbers to values. Removing a value keeps its number.
#[derive(Clone, Debug)]
pub(crate) struct Numbers<T> {
    keys: KeyTree,
    values: Vec<Option<T>>,
}

/// The keys of a map. The place of a key is the number of keys before it.
///
/// A tree over their bits: each branch tests one bit, a later one than the branch above it. Finding
/// a key costs no more than reading it, for any names that a peer chooses, without balancing or
/// hashing. All maps share the same code, unlike those of the standard library: this matters in the
/// wasm module.
#[derive(Clone, Debug)]
struct KeyTree {
    /// All keys, one after the other.
    bytes: Vec<u8>,
    /// The end of each of them.
    ends: Vec<usize>,
    /// The first branch; without branches, the only key.
    root: u32,
    /// The branches: the first was added with the second key, and so on.
    branches: Vec<Branch>,
}

#[derive(Clone, Debug)]
struct Branch {
    bit: usize,
    /// The branches, or keys, for the values 0 and 1 of that bit. Keys count down from the largest
    /// number.
    sides: [u32; 2],
}

const FIRST: u32 = u32::MAX;

impl<T> Default for StringMap<T> {
    fn default() -> Self {
        StringMap { keys: KeyTree::default(), values: Vec::new() }
    }
}

impl<T> StringMap<T> {
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        self.values.get(self.keys.find(name.as_bytes())?)
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.values.get_mut(self.keys.find(name.as_bytes())?)
    }

    /// Returns the value of a name; inserts the default if it has no value.
    pub fn get_or_insert_default(&mut self, name: &str) -> &mut T
    where
        T: Default,
    {
        let at = self.keys.place(name.as_bytes());
        if at == self.values.len() {
            self.values.push(T::default());
        }
        &mut self.values[at]
    }

    /// Sets the value of a name.
    pub fn insert(&mut self, name: &str, value: T) {
        match self.values.get_mut(self.keys.place(name.as_bytes())) {
            Some(existing) => *existing = value,
            None => self.values.push(value),
        }
    }
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers { keys: KeyTree::default(), values: Vec::new() }
    }
}

#[cfg_attr(not(feature = "hub"), allow(dead_code, reason = "the rest is the conversions'"))]
impl<T> Numbers<T> {
    pub fn get(&self, number: u64) -> Option<&T> {
        self.values.get(self.keys.find(&number.to_be_bytes())?)?.as_ref()
    }

    pub fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.values.get_mut(self.keys.find(&number.to_be_bytes())?)?.as_mut()
    }

    /// Sets the value of a number.
    pub fn insert(&mut self, number: u64, value: T) {
        match self.values.get_mut(self.keys.place(&number.to_be_bytes())) {
            Some(existing) => *existing = Some(value),
            None => self.values.push(Some(value)),
        }
    }

    /// Returns the value of a number; inserts the default if it has no value.
    pub fn get_or_insert_default(&mut self, number: u64) -> &mut T
    where
        T: Default,
    {
        let at = self.keys.place(&number.to_be_bytes());
        if at == self.values.len() {
            self.values.push(None);
        }
        self.values[at].get_or_insert_default()
    }

    /// Removes the value of a number and returns it.
    pub fn remove(&mut self, number: u64) -> Option<T> {
        self.values.get_mut(self.keys.find(&number.to_be_bytes())?)?.take()
    }

    /// Returns the numbers that have a value, the smallest first.
    pub fn sorted(&self) -> Vec<u64> {
        let places = self.keys.sorted().into_iter().filter(|&place| self.values[place].is_some());
        places.map(|place| self.keys.number(place)).collect()
    }
}

/// Combines two numbers into one that sorts by the first number.
pub(crate) fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

impl Default for KeyTree {
    fn default() -> Self {
        KeyTree { bytes: Vec::new(), ends: Vec::new(), root: FIRST, branches: Vec::new() }
    }
}

impl KeyTree {
    fn find(&self, key: &[u8]) -> Option<usize> {
        let nearest = self.nearest(key);
        (self.key(nearest)? == key).then_some(nearest)
    }

    /// Returns the place of a key; adds the key if it is new.
    fn place(&mut self, key: &[u8]) -> usize {
        let new = self.ends.len();
        let nearest = self.nearest(key);
        if let Some(known) = self.key(nearest) {
            match first_difference(known, key) {
                Some(bit) => self.branch_off(bit, key, new),
                None => return nearest,
            }
        }
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
        new
    }

    fn key(&self, place: usize) -> Option<&[u8]> {
        let end = *self.ends.get(place)?;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(start..end)
    }

    /// Returns the place of a key that has the longest prefix of bits in common with `key`.
    fn nearest(&self, key: &[u8]) -> usize {
        let mut next = self.root;
        while let Some(branch) = self.branches.get(next as usize) {
            if branch.bit > 9 * key.len() {
                // All keys after it are longer and differ before this bit, so any of them is
                // correct: the one that was added with the branch.
                return next as usize + 1;
            }
            next = branch.sides[side(key, branch.bit)];
        }
        (FIRST - next) as usize
    }

    /// Adds a key; `bit` is the first in which it differs from the nearest key.
    fn branch_off(&mut self, bit: usize, key: &[u8], place: usize) {
        let (mut above, mut next) = (None, self.root);
        while let Some(branch) = self.branches.get(next as usize).filter(|branch| branch.bit < bit)
        {
            let side = side(key, branch.bit);
            above = Some((next as usize, side));
            next = branch.sides[side];
        }
        let mut sides = [next; 2];
        sides[side(key, bit)] = FIRST - place as u32;
        let new = self.branches.len() as u32;
        self.branches.push(Branch { bit, sides });
        match above {
            Some((at, side)) => self.branches[at].sides[side] = new,
            None => self.root = new,
        }
    }

    /// Returns the places, in the order of the keys.
    fn sorted(&self) -> Vec<usize> {
        let mut sorted = Vec::with_capacity(self.ends.len());
        let mut rest: Vec<u32> = self.ends.first().map(|_| self.root).into_iter().collect();
        while let Some(next) = rest.pop() {
            match self.branches.get(next as usize) {
                Some(Branch { sides: [low, high], .. }) => rest.extend([*high, *low]),
                None => sorted.push((FIRST - next) as usize),
            }
        }
        sorted
    }

    /// Returns the key of a map of numbers.
    fn number(&self, place: usize) -> u64 {
        let key = self.key(place).unwrap_or_default();
        key.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

/// Returns one of the bits of a key: nine for each byte, the first of which is set if there is a
/// byte.
fn side(key: &[u8], bit: usize) -> usize {
    let byte = key.get(bit / 9).map_or(0, |byte| 0x100 | usize::from(*byte));
    byte >> (8 - bit % 9) & 1
}

/// Returns the first bit in which two keys differ.
fn first_difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    (9 * same..9 * same + 9).find(|&bit| side(one, bit) != side(other, bit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::string::String;

    #[test]
    fn string_map_behaves_like_a_btree_map() {
        let (mut names, mut map) = (StringMap::default(), BTreeMap::new());
        let mut state = 1u32;
        for round in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Few letters, so that names are often equal, or prefixes of others.
            let bits = state >> 8;
            let name: String = (0..bits % 9)
                .map(|at| ['a', 'b', 'é', '\0'][(bits >> (4 + 2 * at) & 3) as usize])
                .collect();
            assert_eq!(names.get(&name), map.get(&name), "{name}");
            assert_eq!(names.get_mut(&name), map.get_mut(&name), "{name}");
            if bits & 1 << 23 == 0 {
                names.insert(&name, round);
                map.insert(name, round);
            }
        }
        assert_eq!(names.len(), map.len());
        assert!(map.iter().all(|(name, value)| names.get(name) == Some(value)));
    }

    #[test]
    fn numbers_behave_like_an_ordered_map() {
        let (mut numbers, mut map) = (Numbers::default(), BTreeMap::new());
        let mut state = 1u64;
        for round in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // From both ends of the range, as messages are numbered.
            let number = (state >> 40) % 500 * [1, 1 << 32][(state >> 33) as usize & 1];
            let number = if state >> 60 == 0 { u64::MAX - number } else { number };
            assert_eq!(numbers.get(number), map.get(&number), "{number}");
            assert_eq!(numbers.get_mut(number), map.get_mut(&number), "{number}");
            match (state >> 50) % 3 {
                0 => assert_eq!(numbers.remove(number), map.remove(&number), "{number}"),
                _ => {
                    numbers.insert(number, round);
                    map.insert(number, round);
                }
            }
            if round % 100 == 0 {
                assert_eq!(numbers.sorted(), map.keys().copied().collect::<Vec<_>>());
            }
        }
    }
}
