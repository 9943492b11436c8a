//! In the place of wasm's vectors, where there are none.

/// Nothing is asked of a target.
pub(crate) trait OnLanes {}

impl<T> OnLanes for T {}

/// Where the first byte is that is looked for, or from where on the rest has to be searched in another way: from `at`.
#[inline(always)]
pub(super) fn find<T: OnLanes>(_: &[u8], at: usize) -> Result<usize, usize> {
    Err(at)
}

/// Whether two runs of bytes are the same: not said.
#[inline(always)]
pub(super) fn same(_: &[u8], _: &[u8]) -> Option<bool> {
    None
}
