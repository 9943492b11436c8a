//! Lines in, cut anywhere, and what they become.

use alloc::string::String;

use super::read::FromLines;
use crate::adapt::loss::Losses;
use crate::adapt::pipe::{Target, write};
use crate::adapt::transducer::{Then, ToHub as _};
use crate::report::{Ended, Report};
use crate::sse::Lines;

/// A conversion whose source is lines.
#[derive(Debug)]
pub(in crate::adapt) struct LinePipe {
    then: Then<FromLines, Target>,
    lines: Lines,
    report: Report,
}

impl LinePipe {
    pub fn new(target: Target, longest: usize) -> Self {
        LinePipe { then: FromLines.then(target), lines: Lines::new(longest), report: Report::default() }
    }

    pub fn push(&mut self, chunk: &[u8], out: &mut String) {
        self.report.bytes += chunk.len() as u64;
        let LinePipe { then, lines, report, .. } = self;
        lines.push(chunk, |line| take(then, report, line, out));
    }

    pub fn finish(&mut self, aborted: bool, out: &mut String) {
        if self.report.ended != Ended::Open {
            return;
        }
        let LinePipe { then, lines, report, .. } = self;
        lines.finish(|line| take(then, report, line, out));
        self.report.ended = match (self.has_ended(), aborted) {
            (true, _) => Ended::Terminal,
            (false, true) => Ended::Aborted,
            (false, false) => Ended::Eof,
        };
        self.then.finish(aborted, |sent| write(out, sent));
    }

    pub fn has_ended(&self) -> bool {
        self.then.has_ended()
    }

    pub fn losses(&self) -> &Losses {
        self.then.losses()
    }

    pub fn report(&self) -> &Report {
        &self.report
    }
}

fn take(then: &mut Then<FromLines, Target>, report: &mut Report, line: &str, out: &mut String) {
    report.events += 1;
    then.feed(line, |sent| write(out, sent));
}
