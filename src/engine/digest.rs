//! Digests of texts that arrive in pieces.

use alloc::boxed::Box;

/// Length and fingerprint of a text that arrives in pieces. Equal texts have equal digests however
/// they were cut.
///
/// It is kept instead of the text, to find out whether a completed content repeats the streamed
/// one. The fingerprint is keyed: inside a block of 1 KiB the sum over (w₀ + k₀)(w₁ + k₁), one
/// multiplication for eight bytes and none waiting for another; over the blocks a polynomial modulo
/// 2^61 − 1. A server that chooses its bytes but does not know the seed makes two texts meet with a
/// chance of about 2^-32.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Digest {
    length: u64,
    /// The polynomial over the blocks that are full.
    sum: u64,
    /// The sum over the words of the current block.
    block: u64,
    /// The last bytes that do not fill a word yet, little end first.
    word: u64,
}

/// The secret of the digests of one engine.
#[derive(Clone, Debug)]
pub(crate) struct DigestKey {
    words: Box<[[u32; 2]; BLOCK]>,
    point: u64,
}

const PRIME: u64 = (1 << 61) - 1;
/// Words of eight bytes per block.
const BLOCK: usize = 128;

impl DigestKey {
    /// Creates the keys of a seed (SplitMix64).
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = state;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        };
        let point = next() % (PRIME - 2) + 2;
        let mut words = Box::new([[0; 2]; BLOCK]);
        words.iter_mut().for_each(|word| {
            let key = next();
            *word = [key as u32, (key >> 32) as u32];
        });
        DigestKey { words, point }
    }

    /// Returns the digest of a whole text.
    pub fn digest(&self, text: &str) -> Digest {
        let mut digest = Digest::default();
        digest.push(self, text.as_bytes());
        digest
    }
}

impl Digest {
    /// Returns the length in bytes.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Adds the next piece.
    pub fn push(&mut self, keys: &DigestKey, piece: &[u8]) {
        let mut rest = piece;
        let waiting = (self.length % 8) as usize;
        let mut place = (self.length / 8) as usize % BLOCK;
        self.length += piece.len() as u64;
        if waiting > 0 {
            let (head, tail) = rest.split_at(rest.len().min(8 - waiting));
            self.word |= little_end(head) << (waiting * 8);
            if waiting + head.len() < 8 {
                return;
            }
            self.block = self.block.wrapping_add(product(self.word, keys.words[place]));
            self.word = 0;
            place += 1;
            rest = tail;
        }
        loop {
            if place == BLOCK {
                self.end_block(keys);
                place = 0;
            }
            let (run, tail) = rest.split_at((rest.len() & !7).min((BLOCK - place) * 8));
            if run.is_empty() {
                break;
            }
            let words = run.chunks_exact(8).map(little_end).zip(&keys.words[place..]);
            self.block =
                words.fold(self.block, |sum, (word, key)| sum.wrapping_add(product(word, *key)));
            place += run.len() / 8;
            rest = tail;
        }
        self.word |= little_end(rest);
    }

    fn end_block(&mut self, keys: &DigestKey) {
        self.sum = multiply(self.sum, keys.point) + self.block % PRIME;
        if self.sum >= PRIME {
            self.sum -= PRIME;
        }
        self.block = 0;
    }
}

/// Returns up to eight bytes as a number.
#[inline]
fn little_end(bytes: &[u8]) -> u64 {
    match bytes.try_into() {
        Ok(eight) => u64::from_le_bytes(eight),
        Err(_) => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

#[inline]
fn product(word: u64, key: [u32; 2]) -> u64 {
    let low = (word as u32).wrapping_add(key[0]);
    let high = ((word >> 32) as u32).wrapping_add(key[1]);
    u64::from(low) * u64::from(high)
}

/// Returns a · b modulo 2^61 − 1.
fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pieces: &[&[u8]]) -> Digest {
        let keys = DigestKey::new(0x5eed);
        let mut digest = Digest::default();
        pieces.iter().for_each(|piece| digest.push(&keys, piece));
        digest
    }

    fn bytes(length: u32) -> Vec<u8> {
        (0..length).map(|i| (i * 37 % 251) as u8).collect()
    }

    #[test]
    fn digest_does_not_depend_on_chunk_boundaries() {
        for (length, last) in [(60, 60), (1100, 30)] {
            let text = bytes(length);
            let whole = of(&[&text]);
            for a in 0..=text.len() {
                for b in a..=text.len().min(a + last) {
                    assert_eq!(
                        of(&[&text[..a], &text[a..b], &text[b..]]),
                        whole,
                        "{length} {a} {b}"
                    );
                }
            }
        }
    }

    #[test]
    fn digest_differs_for_different_texts() {
        let text = bytes(3000);
        let whole = of(&[&text]);
        for at in 0..text.len() {
            let mut other = text.clone();
            other[at] ^= 1;
            assert_ne!(of(&[&other]), whole, "{at}");
            other[at] ^= 1;
            other.swap(at, (at + 8) % 3000);
            assert!(of(&[&other]) != whole || other == text, "{at}");
        }
        assert_ne!(of(&[b"abc"]), of(&[b"abc\0"]));
        assert_ne!(of(&[&bytes(1024)]), of(&[&bytes(1025)]));
    }

    #[test]
    fn digest_depends_on_the_seed() {
        assert_ne!(
            DigestKey::new(1).digest("the same text"),
            DigestKey::new(2).digest("the same text")
        );
    }

    #[test]
    fn multiplies_in_the_field() {
        assert_eq!(multiply(PRIME - 1, PRIME - 1), 1);
        assert_eq!(multiply(1 << 60, 4), 2);
    }
}
