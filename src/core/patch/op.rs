//! The ops by their numbers, the flags in their words, and the measures of texts for JavaScript.

#[cfg(feature = "wasm-reader")]
use crate::json::between;
#[cfg(feature = "wasm-reader")]
use alloc::vec::Vec;

/// Marks the length of a string in the second buffer.
pub const LONG: u32 = 1 << 31;

/// Marks the length of a text that crosses as UTF-16.
pub const WIDE: u32 = 1 << 30;

/// Marks an op whose JSON has 16 digits in a row.
pub const DIGITS: u16 = 1 << 15;

macro_rules! ops {
    ($($Op:ident $name:literal,)*) => {
        /// The kind of an op. The build passes the names and numbers to the package's JavaScript.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the table above the module")]
        #[non_exhaustive]
        pub enum Op {
            $($Op,)*
        }

        impl Op {
            /// The names in JavaScript, by number.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}
ops! {
    Open "OPEN",
    Null "NULL",
    True "TRUE",
    False "FALSE",
    Word "WORD",
    Int "INT",
    Str "STR",
    Append "APPEND",
    Json "FREE_JSON",
    Extra "EXTRA",
    SetIn "SET_IN",
    AppendIn "APPEND_IN",
    ExtendIn "EXTEND_IN",
    AddIn "ADD_IN",
    Arrange "ARRANGE",
    Share "SHARE",
    MoveLast "MOVE_LAST",
    Remove "REMOVE",
    InsertIn "INSERT_IN",
    RemoveIn "REMOVE_IN",
    MoveIn "MOVE_IN",
}

/// The identity of a build: JavaScript and wasm with different values are incompatible.
pub const CONTRACT: u32 = {
    let mut hash = fnv(0x811c_9dc5, env!("CARGO_PKG_VERSION"));
    let mut at = 0;
    while at < Op::NAMES.len() {
        hash = fnv(hash, Op::NAMES[at]);
        at += 1;
    }
    hash
};

/// Computes FNV-1a.
const fn fnv(mut hash: u32, text: &str) -> u32 {
    let mut at = 0;
    while at < text.len() {
        hash = (hash ^ text.as_bytes()[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// Whether a text has 16 digits in a row, as in every integer beyond ±2^53.
pub(crate) fn has_long_run(json: &str) -> bool {
    let bytes = json.as_bytes();
    // Any run of 16 contains a position that is a multiple of 16, so only those are checked first.
    (15..bytes.len()).step_by(16).filter(|&at| bytes[at].is_ascii_digit()).any(|at| {
        let back = bytes[..at].iter().rev().take(16).take_while(|byte| byte.is_ascii_digit()).count();
        let ahead = bytes[at..].iter().take(16).take_while(|byte| byte.is_ascii_digit()).count();
        back + ahead >= 16
    })
}

/// Returns the number of UTF-16 units of a text: one per character, two above U+FFFF. Counts eight bytes at once,
/// because every transferred character is counted.
pub(crate) fn utf16_length(text: &str) -> u32 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    let units = |bytes: u64| {
        let continues = (bytes >> 7) & !(bytes >> 6) & LOW;
        let two_units = (bytes >> 7) & (bytes >> 6) & (bytes >> 5) & (bytes >> 4) & LOW;
        two_units.count_ones() + 8 - continues.count_ones()
    };
    let (words, tail) = text.as_bytes().as_chunks();
    // Padding bytes of the last word count as one unit each.
    let mut last = [0; 8];
    last[..tail.len()].copy_from_slice(tail);
    let last = units(u64::from_le_bytes(last)) + tail.len() as u32 - 8;
    words.iter().fold(last, |sum, word| sum + units(u64::from_le_bytes(*word)))
}

/// Appends a text as UTF-16, which JavaScript decodes many times faster than UTF-8 if the text is not ASCII.
#[cfg(feature = "wasm-reader")]
pub(crate) fn widen(text: &str, out: &mut Vec<u16>) {
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        out.extend(between(rest, 0, ascii).bytes().map(u16::from));
        rest = between(rest, ascii, rest.len());
        let others = rest.bytes().position(|byte| byte.is_ascii()).unwrap_or(rest.len());
        out.extend(between(rest, 0, others).encode_utf16());
        rest = between(rest, others, rest.len());
    }
}

#[cfg(test)]
mod measure_tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_utf16() {
        let text = "aé你😀".repeat(4);
        for start in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            for end in (start..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let part = &text[start..end];
                assert_eq!(utf16_length(part) as usize, part.encode_utf16().count(), "{part}");
            }
        }
    }
}
