//! Operations with wasm's own vectors, sixteen bytes at once.

use core::arch::wasm32::{
    u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u64x2, v128, v128_and, v128_any_true, v128_or,
    v128_xor,
};

use super::find::{Byte, LineEnd, Special};

/// A set of bytes that can be searched for with vectors.
pub(crate) trait OnSimd {
    /// Returns a block with all bits set in the bytes of the set, and cleared in the others.
    fn simd128(block: v128) -> v128;
}

impl OnSimd for Special {
    #[inline(always)]
    fn simd128(block: v128) -> v128 {
        let small = u8x16_lt(v128_xor(block, u8x16_splat(2)), u8x16_splat(0x21));
        v128_or(small, u8x16_eq(block, u8x16_splat(b'\\')))
    }
}

impl<const BYTE: u8> OnSimd for Byte<BYTE> {
    #[inline(always)]
    fn simd128(block: v128) -> v128 {
        u8x16_eq(block, u8x16_splat(BYTE))
    }
}

impl OnSimd for LineEnd {
    #[inline(always)]
    fn simd128(block: v128) -> v128 {
        v128_or(u8x16_eq(block, u8x16_splat(b'\n')), u8x16_eq(block, u8x16_splat(b'\r')))
    }
}

/// Returns the position of the first byte of the set; fails with the position from which the rest
/// has to be searched in another way, because it is shorter than a block.
#[inline(always)]
pub(super) fn find<T: OnSimd>(bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    for block in bytes.get(at..).unwrap_or_default().as_chunks().0 {
        let mask = u8x16_bitmask(T::simd128(load(block)));
        if mask != 0 {
            return Ok(at + mask.trailing_zeros() as usize);
        }
        at += 16;
    }
    Err(at)
}

/// Reports whether two runs of bytes of equal length are equal; `None` for less than a block. The
/// last bytes are compared as a block that overlaps the last whole one.
#[inline(always)]
pub(super) fn same(one: &[u8], other: &[u8]) -> Option<bool> {
    let differ = |one: &[u8; 16], other: &[u8; 16]| v128_xor(load(one), load(other));
    let last = differ(one.last_chunk()?, other.last_chunk()?);
    let blocks = one.as_chunks().0.iter().zip(other.as_chunks().0);
    Some(!v128_any_true(blocks.fold(last, |any, (one, other)| v128_or(any, differ(one, other)))))
}

/// Returns the number of bytes from `at` on, in whole blocks that are each followed by at least one
/// more byte, before the first block that contains a pair which [`separator`](super::separator)
/// searches for.
#[inline(always)]
pub(super) fn without_pair(bytes: &[u8], at: usize) -> usize {
    let is = |block, byte| u8x16_eq(block, u8x16_splat(byte));
    let mut end = at;
    while let (Some(one), Some(next)) = (
        bytes.get(end..).and_then(|rest| rest.first_chunk()),
        bytes.get(end + 1..).and_then(|rest| rest.first_chunk()),
    ) {
        let (one, next) = (load(one), load(next));
        let separators = v128_and(is(one, 0x80), is(v128_or(next, u8x16_splat(1)), 0xa9));
        if v128_any_true(v128_or(separators, v128_and(is(one, 0xc2), is(next, 0x85)))) {
            break;
        }
        end += 16;
    }
    end - at
}

/// Compiles to one instruction.
#[inline(always)]
fn load(block: &[u8; 16]) -> v128 {
    let both = u128::from_le_bytes(*block);
    u64x2(both as u64, (both >> 64) as u64)
}
