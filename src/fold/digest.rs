//! What a text was, without the text.

/// Length and fingerprint of a text that arrives in pieces. Equal texts have equal digests however they were cut.
///
/// The fold keeps this instead of the text: it must know whether a completed content repeats what was streamed, not
/// what was streamed. The fingerprint is a polynomial over the field of 2^61 − 1 elements in a point that the seed
/// picks, so a server that chooses its bytes without knowing the seed cannot make two texts meet: for two texts of n
/// bytes the chance is below n / 2^60.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest {
    point: u64,
    sum: u64,
    /// The last bytes that do not fill a lane yet, little end first.
    lane: u64,
    length: u64,
}

const PRIME: u64 = (1 << 61) - 1;
/// Bytes per lane: the most that stay below the prime.
const LANE: usize = 7;

impl Digest {
    /// The digest of no text at all.
    pub fn new(seed: u64) -> Self {
        Digest { point: seed % (PRIME - 2) + 2, sum: 0, lane: 0, length: 0 }
    }

    /// Length in bytes.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        let mut rest = piece;
        let waiting = (self.length % LANE as u64) as usize;
        self.length += piece.len() as u64;
        if waiting > 0 {
            let take = rest.len().min(LANE - waiting);
            for (i, &byte) in rest[..take].iter().enumerate() {
                self.lane |= u64::from(byte) << ((waiting + i) * 8);
            }
            rest = &rest[take..];
            if waiting + take < LANE {
                return;
            }
            self.step(self.lane);
            self.lane = 0;
        }
        // Eight bytes are read for every seven used, which is one load instead of a loop.
        while let Some(word) = rest.get(..8) {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            self.step(word & 0x00ff_ffff_ffff_ffff);
            rest = &rest[LANE..];
        }
        if rest.len() == LANE {
            let mut lane = 0;
            for (i, &byte) in rest.iter().enumerate() {
                lane |= u64::from(byte) << (i * 8);
            }
            self.step(lane);
            rest = &[];
        }
        for (i, &byte) in rest.iter().enumerate() {
            self.lane |= u64::from(byte) << (i * 8);
        }
    }

    fn step(&mut self, lane: u64) {
        self.sum = multiply(self.sum, self.point);
        self.sum += lane;
        if self.sum >= PRIME {
            self.sum -= PRIME;
        }
    }
}

impl PartialEq for Digest {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.sum == other.sum && self.lane == other.lane
    }
}

/// a · b modulo 2^61 − 1.
fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pieces: &[&[u8]]) -> Digest {
        let mut digest = Digest::new(0x5eed);
        pieces.iter().for_each(|piece| digest.push(piece));
        digest
    }

    #[test]
    fn does_not_depend_on_the_cut() {
        let text: Vec<u8> = (0..100u32).map(|i| (i * 37 % 251) as u8).collect();
        let whole = of(&[&text]);
        for a in 0..=text.len() {
            for b in a..=text.len().min(a + 20) {
                assert_eq!(of(&[&text[..a], &text[a..b], &text[b..]]), whole, "{a} {b}");
            }
        }
    }

    #[test]
    fn tells_texts_apart() {
        assert_ne!(of(&[b"abc"]), of(&[b"abd"]));
        assert_ne!(of(&[b"abc"]), of(&[b"abc\0"]));
        assert_ne!(of(&[b"0123456789abcdef"]), of(&[b"0123456789abcdeF"]));
        assert_ne!(of(&[b"1123456789abcdef"]), of(&[b"0123456789abcdef"]));
    }

    #[test]
    fn multiplies_in_the_field() {
        assert_eq!(multiply(PRIME - 1, PRIME - 1), 1);
        assert_eq!(multiply(1 << 60, 4), 2);
    }
}
