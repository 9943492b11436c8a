//! What JavaScript asks of a report: arrays in place of objects, because the names of members would be most of it.

use alloc::string::String;

use super::Report;
use crate::core::violation::Violation;
use crate::json::{Row, put, write_list};

impl Report {
    /// Whether a clean stream has anything of [`findings`](Self::write_findings_as_rows).
    pub(crate) fn has_findings(&self) -> bool {
        let lists = [self.counts.is_empty(), self.unknown.is_empty(), self.unfinished.is_empty()];
        lists.contains(&false) || self.last_event_id.is_some() || self.retry.is_some()
    }

    /// Appends the members that are no figures, as a JSON array: violations (see [`Report::write_rows`]), counts and unknown as
    /// arrays of names and numbers, unfinished as arrays of names, last event id and retry.
    pub(crate) fn write_findings_as_rows(&self, out: &mut String) {
        put(out, "[");
        self.write_rows(0, u64::MAX, out);
        put(out, ",");
        write_list(&self.counts, out, |(rule, count), out| write_name(rule, Some(*count), out));
        put(out, ",");
        write_list(&self.unknown, out, |(name, count), out| write_name(name, Some(*count), out));
        put(out, ",");
        write_list(&self.unfinished, out, |id, out| write_name(id, None, out));
        put(out, ",");
        let mut row = Row::open(out);
        text(&mut row, self.last_event_id.as_deref());
        number(&mut row, self.retry);
        row.close();
        put(out, "]");
    }

    /// Appends [`Report::violations_between`] as a JSON array of arrays: rule, severity (0 to 2), event, offset, message id, index,
    /// what was observed, and how many violations there were before it.
    #[inline(never)]
    pub(crate) fn write_rows(&self, from: u64, to: u64, out: &mut String) {
        let numbered = self.violations.iter().zip(&self.numbers);
        let wanted = numbered.filter(|(_, number)| (from..to).contains(*number));
        write_list(wanted, out, |(Violation { rule, at, got }, before), out| {
            let mut row = Row::open(out);
            row.text(rule.id);
            row.number(rule.severity as u64);
            row.number(at.event);
            row.number(at.offset);
            text(&mut row, at.message_id.as_deref());
            number(&mut row, at.index.map(u64::from));
            row.text(got);
            row.number(*before);
            row.close();
        });
    }
}

#[inline(never)]
fn write_name(name: &str, count: Option<u64>, out: &mut String) {
    let mut row = Row::open(out);
    row.text(name);
    count.into_iter().for_each(|count| row.number(count));
    row.close();
}

fn text(row: &mut Row<'_>, text: Option<&str>) {
    match text {
        Some(text) => row.text(text),
        None => row.null(),
    }
}

fn number(row: &mut Row<'_>, number: Option<u64>) {
    match number {
        Some(number) => row.number(number),
        None => row.null(),
    }
}
