//! The findings of a report for JavaScript: words and strings in a patch, after its ops. JSON would
//! have to be written, decoded and parsed.

use super::Report;
use crate::core::patch::PatchBuffer;
use crate::core::violation::Violation;

/// The flags of a violation's optional words, in its first word: above the severity (0 to 2), and
/// below the rule.
const HAS_ID: u32 = 1 << 2;
const HAS_INDEX: u32 = 1 << 3;
const RULE: u32 = 4;

impl Report {
    /// Whether a report has findings in addition to its figures. The report of a clean stream does
    /// not.
    fn has_findings(&self) -> bool {
        let lists = [self.counts.is_empty(), self.unknown.is_empty(), self.unfinished.is_empty()];
        lists.contains(&false) || self.last_event_id.is_some() || self.retry.is_some()
    }

    /// Appends the findings to a patch, if there are any; of the violations only those
    /// [between](Report::violations_between) two moments. Returns the number of words.
    ///
    /// | what | words |
    /// |---|---|
    /// | what stands before | units of text · bytes of long strings |
    /// | rules that were broken | count · for each name, how often |
    /// | violations | count · for each first word, event, offset, index if any, number before it, message id if any, what was observed |
    /// | unknown events | count · for each name, how often |
    /// | unfinished | count · for each its name |
    /// | connection | 1 for a last event id, 2 for a retry · these |
    ///
    /// A name is a string of the patch, which takes one word. Numbers that can be large are two
    /// words, low half first; counts of a list and indexes are one. The first word of a violation
    /// is the position of its rule in the list of violated rules, and [`HAS_ID`], [`HAS_INDEX`] and
    /// the severity.
    #[inline(never)]
    pub(crate) fn write_new_findings(&self, from: u64, to: u64, patch: &mut PatchBuffer) -> usize {
        if !self.has_findings() {
            return 0;
        }
        let start = patch.ops().len();
        patch.measure();
        patch.word(self.counts.len() as u32);
        self.counts.iter().for_each(|(rule, count)| named(rule, *count, patch));
        let numbered = || {
            let numbered = self.violations.iter().zip(&self.numbers);
            numbered.filter(|(_, number)| (from..to).contains(*number))
        };
        patch.word(numbered().count() as u32);
        numbered().for_each(|(violation, number)| self.violation_words(violation, *number, patch));
        patch.word(self.unknown.len() as u32);
        self.unknown.iter().for_each(|(name, count)| named(name, *count, patch));
        patch.word(self.unfinished.len() as u32);
        self.unfinished.iter().for_each(|id| patch.string(id));
        patch.word(u32::from(self.last_event_id.is_some()) | u32::from(self.retry.is_some()) << 1);
        if let Some(id) = &self.last_event_id {
            patch.string(id);
        }
        if let Some(retry) = self.retry {
            patch.long_word(retry);
        }
        patch.ops().len() - start
    }

    fn violation_words(
        &self,
        Violation { rule, at, got }: &Violation,
        number: u64,
        patch: &mut PatchBuffer,
    ) {
        // The rule of each kept violation is in the counts.
        let place =
            self.counts.iter().position(|(id, _)| *id == rule.id).unwrap_or_default() as u32;
        let id = if at.message_id.is_some() { HAS_ID } else { 0 };
        let index = if at.index.is_some() { HAS_INDEX } else { 0 };
        patch.word(place << RULE | index | id | rule.severity as u32);
        patch.long_word(at.event);
        patch.long_word(at.offset);
        if let Some(index) = at.index {
            patch.word(index);
        }
        patch.long_word(number);
        if let Some(id) = &at.message_id {
            patch.string(id);
        }
        patch.string(got);
    }
}

fn named(name: &str, count: u64, patch: &mut PatchBuffer) {
    patch.string(name);
    patch.long_word(count);
}
