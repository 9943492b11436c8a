//! Lines in, cut anywhere, and what they become.

use alloc::string::String;
use alloc::vec::Vec;

use super::read::FromLines;
use crate::adapt::loss::Losses;
use crate::adapt::pipe::{Target, write};
use crate::adapt::transducer::{Then, ToHub as _};
use crate::report::{Ended, Report};

/// A conversion whose source is lines.
#[derive(Debug)]
pub(in crate::adapt) struct LinePipe {
    then: Then<FromLines, Target>,
    /// The beginning of a line whose end is still to come.
    line: Vec<u8>,
    /// How long it may get.
    longest: usize,
    report: Report,
}

impl LinePipe {
    pub fn new(target: Target, longest: usize) -> Self {
        LinePipe { then: FromLines.then(target), line: Vec::new(), longest, report: Report::default() }
    }

    pub fn push(&mut self, chunk: &[u8], out: &mut String) {
        self.report.bytes += chunk.len() as u64;
        let mut lines = chunk.split(|byte| *byte == b'\n');
        // Behind the last line end there is a beginning, if only an empty one.
        let rest = lines.next_back().unwrap_or_default();
        for line in lines {
            self.extend(line);
            self.take(out);
        }
        self.extend(rest);
    }

    pub fn finish(&mut self, aborted: bool, out: &mut String) {
        if self.report.ended != Ended::Open {
            return;
        }
        self.take(out);
        self.report.ended = if aborted { Ended::Aborted } else { Ended::Eof };
        self.then.finish(aborted, |sent| write(out, sent));
    }

    pub fn losses(&self) -> &Losses {
        self.then.losses()
    }

    pub fn report(&self) -> &Report {
        &self.report
    }

    /// A line that is too long is cut, and is then no step: that is noted when it is taken.
    fn extend(&mut self, piece: &[u8]) {
        let room = self.longest.saturating_sub(self.line.len());
        self.line.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    fn take(&mut self, out: &mut String) {
        let line = core::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if !text.is_empty() {
            self.report.events += 1;
            self.then.feed(text, |sent| write(out, sent));
        }
    }
}
