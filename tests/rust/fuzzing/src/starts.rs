//! The offsets where the events of a stream may begin.

/// Returns the offsets of lines that end with an LF.
pub fn of_lines(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
}

/// Returns the offsets of the blocks of an event stream: its start and the end of each blank line.
pub fn of_blocks(bytes: &[u8]) -> Vec<usize> {
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
