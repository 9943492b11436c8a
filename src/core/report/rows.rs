//! What JavaScript asks of a report: arrays in place of objects, because the names of members would be most of it.

use alloc::string::String;

use super::Report;
use super::json::counts;
use crate::core::violation::Violation;
use crate::json::{push_integer, put, write_list, write_string};

impl Report {
    /// Whether a clean stream has anything of [`findings`](Self::findings_to_json).
    pub(crate) fn has_findings(&self) -> bool {
        let lists = [self.counts.is_empty(), self.unknown.is_empty(), self.unfinished.is_empty()];
        lists.contains(&false) || self.last_event_id.is_some() || self.retry.is_some()
    }

    /// The members that are no figures, as a JSON array: violations, counts, unknown, unfinished, last event id, retry. See
    /// [`Report::violations_to_rows`].
    pub(crate) fn findings_to_json(&self) -> String {
        let mut out = String::from("[");
        self.write_rows(0, u64::MAX, &mut out);
        put(&mut out, ",");
        counts(&mut out, &mut self.counts.iter().map(|(name, count)| (*name, *count)));
        put(&mut out, ",");
        counts(&mut out, &mut self.unknown.iter().map(|(name, count)| (name.as_str(), *count)));
        put(&mut out, ",");
        write_list(&self.unfinished, &mut out, |id, out| write_string(id, out));
        put(&mut out, ",");
        string_or_null(self.last_event_id.as_deref(), &mut out);
        put(&mut out, ",");
        integer_or_null(self.retry.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)), &mut out);
        put(&mut out, "]");
        out
    }

    /// [`Report::violations_between`] as a JSON array of arrays: rule, severity (0 to 2), event, offset, message id, index, what
    /// was observed, and how many violations there were before it. The names of members would be most of it.
    pub(crate) fn violations_to_rows(&self, from: u64, to: u64) -> String {
        let mut out = String::new();
        self.write_rows(from, to, &mut out);
        out
    }

    fn write_rows(&self, from: u64, to: u64, out: &mut String) {
        let numbered = self.violations.iter().zip(&self.numbers);
        let wanted = numbered.filter(|(_, number)| (from..to).contains(*number));
        write_list(wanted, out, |(Violation { rule, at, got }, number), out| {
            put(out, "[\"");
            put(out, rule.id);
            put(out, "\",");
            push_integer(rule.severity as i64, out);
            put(out, ",");
            push_integer(at.event as i64, out);
            put(out, ",");
            push_integer(at.offset as i64, out);
            put(out, ",");
            string_or_null(at.message_id.as_deref(), out);
            put(out, ",");
            integer_or_null(at.index.map(i64::from), out);
            put(out, ",");
            write_string(got, out);
            put(out, ",");
            push_integer(*number as i64, out);
            put(out, "]");
        });
    }
}

fn string_or_null(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => write_string(text, out),
        None => put(out, "null"),
    }
}

fn integer_or_null(number: Option<i64>, out: &mut String) {
    match number {
        Some(number) => push_integer(number, out),
        None => put(out, "null"),
    }
}
