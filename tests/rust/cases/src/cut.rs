//! Cuts bytes into chunks and changes their line ends, as a network may.

/// Returns chunks of 1 to 40 bytes; the same for the same seed.
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

/// Returns chunks of one byte.
pub fn single(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.chunks(1).collect()
}

/// Replaces every LF by this line end.
pub fn with_line_ends(bytes: &[u8], end: &[u8]) -> Vec<u8> {
    bytes.split(|&byte| byte == b'\n').collect::<Vec<_>>().join(end)
}

/// Replaces every LF by CRLF.
pub fn crlf(bytes: &[u8]) -> Vec<u8> {
    with_line_ends(bytes, b"\r\n")
}
