//! Lines, for streams that consist of nothing else: newline-delimited JSON and the like.

use alloc::string::String;
use alloc::vec::Vec;

/// Cuts bytes that arrive in any pieces into lines. Empty ones are none; white space around is no matter.
#[derive(Debug)]
pub struct Lines {
    /// The beginning of a line whose end is still to come.
    line: Vec<u8>,
    longest: usize,
}

impl Lines {
    /// Lines of at most `longest` bytes; what a longer one has more is dropped.
    pub fn new(longest: usize) -> Self {
        Lines { line: Vec::new(), longest }
    }

    /// Takes the next bytes, and gives the lines that they complete to `on`.
    pub fn push(&mut self, chunk: &[u8], mut on: impl FnMut(&str)) {
        let mut lines = chunk.split(|byte| *byte == b'\n');
        // Behind the last line end there is a beginning, if only an empty one.
        let rest = lines.next_back().unwrap_or_default();
        for line in lines {
            self.extend(line);
            self.finish(&mut on);
        }
        self.extend(rest);
    }

    /// The end: a last line needs no line end.
    pub fn finish(&mut self, mut on: impl FnMut(&str)) {
        let line = core::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if !text.is_empty() {
            on(text);
        }
    }

    fn extend(&mut self, piece: &[u8]) {
        let room = self.longest.saturating_sub(self.line.len());
        self.line.extend_from_slice(&piece[..piece.len().min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::ToOwned;

    fn lines(chunks: &[&[u8]], longest: usize) -> Vec<String> {
        let (mut cut, mut found) = (Lines::new(longest), Vec::new());
        chunks.iter().for_each(|chunk| cut.push(chunk, |line| found.push(line.to_owned())));
        cut.finish(|line| found.push(line.to_owned()));
        found
    }

    #[test]
    fn lines_are_the_same_however_they_are_cut() {
        let stream = "a\r\n\n 你好 \nlast".as_bytes();
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(lines(&[stream], 99), ["a", "你好", "last"]);
        assert_eq!(lines(&bytes, 99), ["a", "你好", "last"]);
        assert_eq!(lines(&[b"abcdef\ngh\n"], 3), ["abc", "gh"]);
    }
}
