//! Values by name, for the names that a stream makes up.

use alloc::string::String;
use alloc::vec::Vec;

/// A map from names to values, in the order of insertion.
///
/// A tree over the bits of the names: each branch looks at one bit, at a later one than the branch above it. Finding a
/// name costs no more than reading it, whatever names a peer chooses, and nothing has to be balanced or hashed. In the
/// wasm module it takes a third of what the standard library's map does.
#[derive(Debug)]
pub(crate) struct Names<T> {
    entries: Vec<(String, T)>,
    tree: Tree,
}

#[derive(Debug)]
struct Tree {
    /// The first branch; as long as there is none, the only entry.
    root: u32,
    /// The first came with the second entry, and so on.
    branches: Vec<Branch>,
}

#[derive(Debug)]
struct Branch {
    bit: usize,
    /// The branches, or entries, where that bit is 0 and where it is 1. Entries count down from the largest number.
    sides: [u32; 2],
}

const FIRST: u32 = u32::MAX;

impl<T> Default for Names<T> {
    fn default() -> Self {
        Names { entries: Vec::new(), tree: Tree { root: FIRST, branches: Vec::new() } }
    }
}

impl<T> Names<T> {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        let nearest = self.entries.get(self.tree.nearest(name));
        nearest.filter(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        let nearest = self.entries.get_mut(self.tree.nearest(name));
        nearest.filter(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Gives a name a value, in place of the one that it has.
    pub fn insert(&mut self, name: &str, value: T) {
        let new = self.entries.len();
        if let Some((known, held)) = self.entries.get_mut(self.tree.nearest(name)) {
            match first_difference(known, name) {
                Some(bit) => self.tree.branch_off(bit, name, new),
                None => {
                    *held = value;
                    return;
                }
            }
        }
        self.entries.push((String::from(name), value));
    }
}

impl Tree {
    /// The entry, or one of those, that have most bits at the beginning in common with `name`.
    fn nearest(&self, name: &str) -> usize {
        let mut next = self.root;
        while let Some(branch) = self.branches.get(next as usize) {
            if branch.bit > 9 * name.len() {
                // All behind it are longer and differ before this bit, so any of them will do: the one it came with.
                return next as usize + 1;
            }
            next = branch.sides[side(name, branch.bit)];
        }
        (FIRST - next) as usize
    }

    /// Adds an entry; `bit` is the first that tells it from the nearest.
    fn branch_off(&mut self, bit: usize, name: &str, entry: usize) {
        let (mut above, mut next) = (None, self.root);
        while let Some(branch) = self.branches.get(next as usize).filter(|branch| branch.bit < bit) {
            let side = side(name, branch.bit);
            above = Some((next as usize, side));
            next = branch.sides[side];
        }
        let mut sides = [next; 2];
        sides[side(name, bit)] = FIRST - entry as u32;
        let new = self.branches.len() as u32;
        self.branches.push(Branch { bit, sides });
        match above {
            Some((at, side)) => self.branches[at].sides[side] = new,
            None => self.root = new,
        }
    }
}

/// One of the bits of a name: nine for each byte, the first of which says that there is a byte.
fn side(name: &str, bit: usize) -> usize {
    let byte = name.as_bytes().get(bit / 9).map_or(0, |byte| 0x100 | usize::from(*byte));
    byte >> (8 - bit % 9) & 1
}

/// The first bit that tells two names apart.
fn first_difference(one: &str, other: &str) -> Option<usize> {
    let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    (9 * same..9 * same + 9).find(|&bit| side(one, bit) != side(other, bit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;

    #[test]
    fn is_a_map() {
        let (mut names, mut map) = (Names::default(), BTreeMap::new());
        let mut state = 1u32;
        for round in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Few letters, so that names are often the same, or the beginnings of others.
            let bits = state >> 8;
            let name: String =
                (0..bits % 9).map(|at| ['a', 'b', 'é', '\0'][(bits >> (4 + 2 * at) & 3) as usize]).collect();
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
}
