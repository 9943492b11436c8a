//! Lines of bytes: the framing of newline-JSON protocols.

use alloc::string::String;
use alloc::vec::Vec;

use crate::limits::Limits;

/// Cuts bytes that arrive cut anywhere into lines.
///
/// A line ends with LF or CRLF; empty ones are passed by. Bytes that are no UTF-8 become U+FFFD. A line that is longer than
/// `line_bytes` of the limits is dropped and counted.
#[derive(Debug)]
pub struct Lines {
    most: usize,
    held: Vec<u8>,
    /// The line at work is too long.
    over: bool,
    dropped: u64,
}

impl Lines {
    /// At the start of a stream.
    pub fn new(limits: &Limits) -> Self {
        Lines { most: limits.line_bytes, held: Vec::new(), over: false, dropped: 0 }
    }

    /// Takes the next bytes, and gives each line that ends in them to `on`.
    pub fn push(&mut self, chunk: &[u8], on: &mut dyn FnMut(&str)) {
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let (line, tail) = rest.split_at(end);
            rest = &tail[1..];
            match self.held.is_empty() && !self.over && line.len() <= self.most {
                true => say(line, on),
                false => {
                    self.hold(line);
                    self.end(on);
                }
            }
        }
        self.hold(rest);
    }

    /// The stream is over: a last line may lack its end.
    pub fn finish(&mut self, on: &mut dyn FnMut(&str)) {
        self.end(on);
    }

    /// How many lines were too long.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    fn hold(&mut self, bytes: &[u8]) {
        if self.over || self.held.len() + bytes.len() > self.most {
            self.over = true;
            self.held.clear();
        } else {
            self.held.extend_from_slice(bytes);
        }
    }

    fn end(&mut self, on: &mut dyn FnMut(&str)) {
        self.dropped += u64::from(core::mem::take(&mut self.over));
        say(&self.held, on);
        self.held.clear();
    }
}

fn say(line: &[u8], on: &mut dyn FnMut(&str)) {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if !line.is_empty() {
        on(&String::from_utf8_lossy(line));
    }
}
