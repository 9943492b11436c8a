//! Substitutes for the functions of `simd128.rs` on targets without wasm's vectors.

/// Implemented by every set of bytes: the search does not use vectors.
pub(crate) trait OnSimd {}

impl<T> OnSimd for T {}

/// Leaves the search to the caller: returns `Err(at)`.
#[inline(always)]
pub(super) fn find<T: OnSimd>(_: &[u8], at: usize) -> Result<usize, usize> {
    Err(at)
}

/// Returns the number of bytes from `at` on, in whole blocks, before the first pair that
/// [`separator`](super::separator) searches for. The compiler turns the loops into vector instructions.
#[inline(always)]
pub(super) fn without_pair(bytes: &[u8], at: usize) -> usize {
    let (Some(ones), Some(nexts)) = (bytes.get(at..), bytes.get(at + 1..)) else { return 0 };
    let blocks = ones.as_chunks::<16>().0.iter().zip(nexts.as_chunks::<16>().0);
    let is_free = |(ones, nexts): &(&[u8; 16], &[u8; 16])| {
        let mut any = 0u8;
        for (&one, &next) in ones.iter().zip(nexts.iter()) {
            let separator = u8::from(one == 0x80) & u8::from(next | 1 == 0xa9);
            any |= separator | u8::from(one == 0xc2) & u8::from(next == 0x85);
        }
        any == 0
    };
    blocks.take_while(is_free).count() * 16
}

/// Leaves the comparison to the caller: returns `None`.
#[inline(always)]
pub(super) fn same(_: &[u8], _: &[u8]) -> Option<bool> {
    None
}
