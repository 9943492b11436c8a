//! Cutting streams into chunks, and changing their line ends.

/// Chunks of 1 to 40 bytes; the same for the same seed.
pub fn random(bytes: &[u8], seed: u64) -> Vec<&[u8]> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut chunks = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let (chunk, tail) = rest.split_at(rest.len().min(1 + (state % 40) as usize));
        chunks.push(chunk);
        rest = tail;
    }
    chunks
}

/// Chunks of one byte.
pub fn single(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.chunks(1).collect()
}

/// Every LF becomes this line end.
pub fn with_line_ends(bytes: &[u8], end: &[u8]) -> Vec<u8> {
    bytes.split(|&byte| byte == b'\n').collect::<Vec<_>>().join(end)
}

/// Where lines begin that end with an LF.
pub fn line_starts(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}

/// Where the blocks of an event stream begin: at its start and after each blank line.
pub fn block_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    let (mut at, mut line) = (0, 0);
    while at < bytes.len() {
        let length = match bytes[at..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        if length > 0 && at == line {
            starts.push(at + length);
        }
        at += length.max(1);
        if length > 0 {
            line = at;
        }
    }
    starts
}
