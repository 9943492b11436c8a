//! The messages of a thread.

use std::string::{String, ToString};
use std::vec::Vec;

use super::index::ThreadIndex;
use super::records::StoredMessage;
use super::run_log::texts_in;
use super::thread_log::ThreadLog;
use super::thread_memory::entries_after;
use crate::core::id::iso8601;
use crate::stores::StoreError;

/// The number of messages that are read at once.
const MESSAGES: usize = 32;

/// A part of the history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HistoryPage {
    /// The day (UTC) of the messages, such as `2026-03-19`; `None` if there are no messages.
    pub day: Option<String>,
    /// Whether there are earlier messages.
    pub has_more: bool,
    /// The messages, in their order.
    pub messages: Vec<StoredMessage>,
    /// Set if the day has more messages: those before this number.
    pub before_seq: Option<u64>,
}

/// The latest messages of a thread, as JSON, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LatestMessages {
    pub messages: Vec<String>,
    /// Whether the thread has earlier ones.
    pub is_cut: bool,
}

/// Messages that are read from the last one to the first one.
struct Backwards<'a> {
    log: &'a ThreadLog,
    /// The place in the index of the first message that was read.
    end: usize,
    /// Those that were read, the first one last.
    read: Vec<StoredMessage>,
}

impl<'a> Backwards<'a> {
    /// Begins before a number and, if it is not empty, before a day.
    async fn new(log: &'a ThreadLog, before_seq: u64, before: &str) -> Self {
        let memory = log.memory().await;
        let messages = memory.index.as_ref().map_or(&[][..], |index| &index.messages);
        let is_later = |at: &usize| {
            let message = messages[*at];
            message.seq >= before_seq || (!before.is_empty() && *day_of(message.at) >= *before)
        };
        let end = messages.len() - (0..messages.len()).rev().take_while(is_later).count();
        Backwards { log, end, read: Vec::new() }
    }

    async fn next(&mut self) -> Result<Option<StoredMessage>, StoreError> {
        if self.read.is_empty() && self.end > 0 {
            let begin = self.end.saturating_sub(MESSAGES);
            self.read = self.log.messages_between(begin, self.end).await?;
            self.end = begin;
        }
        Ok(self.read.pop())
    }
}

impl ThreadLog {
    /// Returns the messages of that id and role, as the agent receives them.
    pub async fn messages_of(&self, id: &str, role: &str) -> Result<Vec<String>, StoreError> {
        let places = {
            let memory = self.memory().await;
            memory.index.as_ref().map_or_else(Vec::new, |index| index.places_of(role, id).to_vec())
        };
        let mut found = Vec::new();
        for at in places {
            found.extend(
                self.messages_between(at, at + 1).await?.into_iter().map(|one| one.message),
            );
        }
        Ok(found)
    }

    /// Returns whether there is a message of that id and role.
    pub async fn has_message(&self, id: &str, role: &str) -> bool {
        self.memory()
            .await
            .index
            .as_ref()
            .is_some_and(|index| !index.places_of(role, id).is_empty())
    }

    /// Returns whether a message of the assistant has the tool call of that id.
    pub async fn has_call(&self, call_id: &str) -> bool {
        self.memory().await.index.as_ref().is_some_and(|index| index.has_call(call_id))
    }

    /// Returns the latest messages as the agent receives them, with at most `limit` bytes.
    pub async fn latest_messages(&self, limit: usize) -> Result<LatestMessages, StoreError> {
        let mut latest = LatestMessages::default();
        let mut size = 0;
        let mut messages = Backwards::new(self, u64::MAX, "").await;
        while let Some(StoredMessage { message, .. }) = messages.next().await? {
            size += message.len();
            if size > limit {
                latest.is_cut = true;
                break;
            }
            latest.messages.push(message);
        }
        latest.messages.reverse();
        Ok(latest)
    }

    /// Returns the shown messages with numbers below `before_seq`, of the latest day before
    /// `before` (`YYYY-MM-DD`) that has any. If the day has more than `limit` bytes, returns the
    /// latest messages that fit, at least one.
    pub async fn history(
        &self,
        before: &str,
        before_seq: u64,
        limit: usize,
    ) -> Result<HistoryPage, StoreError> {
        let mut page = HistoryPage::default();
        let mut size = 0;
        let mut messages = Backwards::new(self, before_seq, before).await;
        while let Some(message) = messages.next().await? {
            let own = day_of(message.at);
            // Messages are in the order of their days, unless the clocks of processes differ.
            let is_later = page.day.as_ref().is_some_and(|day| own > *day);
            if !message.is_shown || *own >= *before || is_later {
                continue;
            }
            let day = page.day.get_or_insert_with(|| own.clone());
            if own < *day {
                page.has_more = true;
                break;
            }
            size += message.content.len() + message.extra.len();
            if size > limit && !page.messages.is_empty() {
                page.has_more = true;
                page.before_seq = page.messages.last().map(|first| first.seq);
                break;
            }
            page.messages.push(message);
        }
        page.messages.reverse();
        Ok(page)
    }

    /// Returns the messages from one place of the index to another, in their order.
    async fn messages_between(
        &self,
        from: usize,
        to: usize,
    ) -> Result<Vec<StoredMessage>, StoreError> {
        let (log, begin, end, active) = {
            let memory = self.memory().await;
            let Some(index) = &memory.index else { return Ok(Vec::new()) };
            let Some((begin, end)) = span(index, from, to) else { return Ok(Vec::new()) };
            (self.messages_log(index), begin, end, index.active().cloned())
        };
        let limit = usize::try_from(end - begin).unwrap_or(usize::MAX);
        let page = self.store.read(&log, begin, limit).await?;
        // Those of the active run are not copied yet.
        let own = match &active {
            Some(run) if end > run.seq => {
                entries_after(run.seq, &self.request(run).await?.messages)
            }
            _ => Vec::new(),
        };
        let copied = end.min(active.map_or(end, |run| run.seq));
        let entries = page.entries.iter().filter(|entry| entry.position <= copied);
        let own = own.iter().filter(|entry| entry.position > begin && entry.position <= end);
        let texts = texts_in(entries.chain(own));
        Ok(texts.iter().map(|text| StoredMessage::parse(text.position, &text.text)).collect())
    }
}

/// Returns the number before the first message and that of the last one.
fn span(index: &ThreadIndex, from: usize, to: usize) -> Option<(u64, u64)> {
    let end = index.messages.get(to.checked_sub(1)?)?.seq;
    let begin = from.checked_sub(1).and_then(|at| index.messages.get(at)).map_or(0, |one| one.seq);
    Some((begin, end))
}

/// Returns the day (UTC) of a time in milliseconds since 1970, such as `2026-03-19`.
fn day_of(at: u64) -> String {
    iso8601((at / 1000) as i64)[..10].to_string()
}
