//! The conversion of a source of lines, which arrive in chunks of any size.

use alloc::string::String;

use super::pipe::write;
use super::target::Target;
use crate::core::limits::Limits;
use crate::core::report::{EndReason, Report};
use crate::hub::steps::{FromSteps, Lines};
use crate::hub::{Losses, Then, ToHub as _};

/// A conversion whose source is lines.
#[derive(Debug)]
pub(super) struct StepPipe {
    then: Then<FromSteps, Target>,
    lines: Lines,
    report: Report,
}

impl StepPipe {
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn new(target: Target, limits: &Limits) -> Self {
        StepPipe { then: FromSteps.then(target), lines: Lines::new(limits), report: Report::default() }
    }

    pub fn push(&mut self, chunk: &[u8], out: &mut String) {
        if self.report.end_reason != EndReason::Open {
            return;
        }
        self.report.bytes += chunk.len() as u64;
        let StepPipe { then, lines, report, .. } = self;
        lines.push(chunk, &mut |line| take(then, report, line, out));
    }

    pub fn finish(&mut self, aborted: bool, out: &mut String) {
        if self.report.end_reason != EndReason::Open {
            return;
        }
        let StepPipe { then, lines, report, .. } = self;
        lines.finish(&mut |line| take(then, report, line, out));
        self.report.end_reason = match (self.has_ended(), aborted) {
            (true, _) => EndReason::Terminal,
            (false, true) => EndReason::Aborted,
            (false, false) => EndReason::Eof,
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

fn take(then: &mut Then<FromSteps, Target>, report: &mut Report, line: &str, out: &mut String) {
    report.events += 1;
    then.feed(line, |sent| write(out, sent));
}
