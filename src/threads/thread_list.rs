//! The list of a user's threads, for user interfaces: titles, the archive, search. It is part of the
//! user's list in the store, with three entries for each thread: the beginning of its first message,
//! the time of its last message, and what the user has changed.

use std::borrow::ToOwned;
use std::collections::HashMap;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::json::{integer, object, optional_number, parsed, text_of};
use super::texts::units;
use super::time::{iso8601_of, now};
use super::users::Users;
use crate::json::{ObjectWriter, Value};
use crate::stores::StoreError;

/// The maximum length of a title, in UTF-16.
pub(crate) const TITLE: usize = 200;
/// The maximum number of threads in a page.
const MOST: usize = 100;

// The names of the entries are in stores.
const BEGUN: &str = "begun";
const USED: &str = "used";
const CHANGED: &str = "thread";

/// What a user changes of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ThreadChange {
    pub title: Option<String>,
    pub archived: Option<bool>,
}

impl ThreadChange {
    /// Parses a request; fails if a member has another type, or the title is too long.
    pub fn parse(body: &Value) -> Option<Self> {
        let Value::Object(_) = body else { return None };
        let title = match body.get("title") {
            None => None,
            Some(Value::String(title)) if units(title) <= TITLE => Some(title.clone()),
            Some(_) => return None,
        };
        let archived = match body.get("archived") {
            None => None,
            Some(archived) => Some(archived.as_bool()?),
        };
        Some(ThreadChange { title, archived })
    }

    fn write(&self, object: &mut ObjectWriter<'_>) {
        object.string("title", self.title.as_deref());
        object.bool("archived", self.archived);
    }
}

/// A thread in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListedThread {
    pub thread_id: String,
    pub title: String,
    pub archived: bool,
    /// The time of the last message as ISO 8601; empty if the first one is not in the list yet.
    updated_at: String,
}

impl ListedThread {
    /// Returns the place in the list, which is in the descending order of these texts.
    fn place(&self) -> String {
        [&*self.updated_at, &self.thread_id].join(" ")
    }

    pub fn write(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out, true);
        object.string("threadId", Some(&self.thread_id));
        object.string("title", Some(&self.title));
        object.bool("archived", Some(self.archived));
        object.string("updatedAt", Some(&self.updated_at));
        object.close();
    }

    fn change(&mut self, change: ThreadChange) {
        if let Some(title) = change.title {
            self.title = title;
        }
        self.archived = change.archived.unwrap_or(self.archived);
    }
}

/// The threads that a page has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedThreads<'a> {
    /// A text in the title, in any case.
    pub search: &'a str,
    /// Those in the archive, or the others.
    pub archived: bool,
    /// The place of the last thread of the page before.
    pub after: &'a str,
    pub limit: usize,
}

impl Users {
    /// Adds a new thread to the list of its user, with the beginning of its first message as title.
    pub async fn add_thread(&self, user: &str, id: &str, first: &str) -> Result<(), StoreError> {
        let words = first.split_whitespace();
        let mut title = String::new();
        for one in words.flat_map(|word| [" ", word]).skip(1).flat_map(str::chars) {
            if units(&title) + one.len_utf16() > TITLE {
                break;
            }
            title.push(one);
        }
        let entry = object(|entry| entry.string("title", Some(&title)));
        self.set_task(user, &key_of(BEGUN, id), Some(&entry)).await
    }

    /// Makes a thread the one that was used last.
    pub async fn use_thread(&self, user: &str, id: &str, at: u64) -> Result<(), StoreError> {
        let entry = object(|entry| integer(entry, "usedAt", at));
        self.set_task(user, &key_of(USED, id), Some(&entry)).await
    }

    /// Removes a thread from the list of its user.
    pub async fn remove_thread(&self, user: &str, id: &str) -> Result<(), StoreError> {
        for entry in [BEGUN, USED, CHANGED] {
            self.set_task(user, &key_of(entry, id), None).await?;
        }
        Ok(())
    }

    /// Changes a thread of the user, which may not be in the list yet.
    pub async fn change_thread(
        &self,
        user: &str,
        id: &str,
        change: ThreadChange,
    ) -> Result<ListedThread, StoreError> {
        let entries = self.tasks(user).await?;
        let changed = entries.iter().find(|(key, _)| *key == key_of(CHANGED, id));
        let mut all =
            changed.and_then(|(_, entry)| ThreadChange::parse(&parsed(entry))).unwrap_or_default();
        all.title = change.title.or(all.title);
        all.archived = change.archived.or(all.archived);
        let entry = object(|entry| all.write(entry));
        self.set_task(user, &key_of(CHANGED, id), Some(&entry)).await?;
        let mut thread = threads_in(entries).remove(id).unwrap_or_default();
        thread.thread_id = id.to_owned();
        thread.change(all);
        if thread.updated_at.is_empty() {
            thread.updated_at = iso8601_of(now());
        }
        Ok(thread)
    }

    /// Returns a page of the threads of a user, the last used first, and the place of its last one
    /// if others follow.
    pub async fn threads(
        &self,
        user: &str,
        which: ListedThreads<'_>,
    ) -> Result<(Vec<ListedThread>, Option<String>), StoreError> {
        let text = which.search.to_lowercase();
        let mut found: Vec<_> = threads_in(self.tasks(user).await?)
            .into_values()
            .filter(|one| !one.updated_at.is_empty() && one.archived == which.archived)
            .filter(|one| one.title.to_lowercase().contains(&text))
            .map(|one| (one.place(), one))
            .filter(|(place, _)| which.after.is_empty() || **place < *which.after)
            .collect();
        found.sort_by(|(one, _), (other, _)| other.cmp(one));
        let limit = which.limit.min(MOST);
        let has_more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| has_more).map(|(place, _)| place.clone());
        Ok((found.into_iter().map(|(_, one)| one).collect(), next))
    }
}

fn key_of(entry: &str, id: &str) -> String {
    format!("{entry} {id}")
}

/// Returns the threads in the list of a user, also those that have been changed only.
fn threads_in(entries: Vec<(String, String)>) -> HashMap<String, ListedThread> {
    let mut all: HashMap<String, ListedThread> = HashMap::new();
    let mut changes = Vec::new();
    for (key, entry) in entries {
        let Some((kind, id)) = key.split_once(' ') else { continue };
        let entry = parsed(&entry);
        let thread = all.entry(id.to_owned()).or_default();
        thread.thread_id = id.to_owned();
        match kind {
            BEGUN => thread.title = text_of(&entry, "title"),
            USED => {
                let at = optional_number(entry.get("usedAt"));
                thread.updated_at = at.map(iso8601_of).unwrap_or_default();
            }
            _ => changes.extend(ThreadChange::parse(&entry).map(|change| (id.to_owned(), change))),
        }
    }
    for (id, change) in changes {
        all.entry(id).or_default().change(change);
    }
    all
}
