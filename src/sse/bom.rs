//! The byte order mark at the start of a stream.

use alloc::vec::Vec;

/// The number of bytes of a mark at the start of the stream so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrderMark {
    Seen(u8),
    Past,
}

const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

impl Default for ByteOrderMark {
    fn default() -> Self {
        ByteOrderMark::Seen(0)
    }
}

impl ByteOrderMark {
    /// Returns the number of bytes at the start of a chunk that belong to the mark, also when it arrives byte by byte.
    /// Bytes that are only the beginning of a mark become the start of `line`, the first line.
    pub fn skip(&mut self, chunk: &[u8], line: &mut Vec<u8>) -> usize {
        let ByteOrderMark::Seen(seen) = *self else {
            return 0;
        };
        let mut matched = seen as usize;
        for (at, &byte) in chunk.iter().enumerate() {
            if byte != BOM[matched] {
                *self = ByteOrderMark::Past;
                line.extend_from_slice(&BOM[..matched - at]);
                return 0;
            }
            matched += 1;
            if matched == BOM.len() {
                *self = ByteOrderMark::Past;
                return at + 1;
            }
        }
        *self = ByteOrderMark::Seen(matched as u8);
        chunk.len()
    }

    /// Ends the stream: the beginning of a mark becomes the start of `line`.
    pub fn end(&mut self, line: &mut Vec<u8>) {
        if let ByteOrderMark::Seen(seen) = core::mem::replace(self, ByteOrderMark::Past) {
            line.extend_from_slice(&BOM[..seen as usize]);
        }
    }
}
