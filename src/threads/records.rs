//! The records of the log of a thread, and messages, as JSON.

use std::borrow::ToOwned;
use std::string::{String, ToString};
use std::vec::Vec;

use super::json::{
    flag_of, integer, list_of, number_of, object, object_list, optional_number, optional_text,
    parsed, text_of, texts_of,
};
use super::run_log::entries_of;
use super::texts::stringified;
use crate::json::{ObjectWriter, Value};

/// The status of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RunStatus {
    /// It was accepted, and its agent is not running.
    #[default]
    Queued,
    /// Its agent is running, or was when the process stopped.
    Running,
    /// Its terminal event is stored.
    Ended,
    /// It has ended, and its log is deleted.
    Expired,
}

const STATUS: [(RunStatus, &str); 4] = [
    (RunStatus::Queued, "queued"),
    (RunStatus::Running, "running"),
    (RunStatus::Ended, "ended"),
    (RunStatus::Expired, "expired"),
];

impl RunStatus {
    fn name(self) -> &'static str {
        STATUS.iter().find(|(status, _)| *status == self).map_or("", |(_, name)| name)
    }

    fn of(name: &str) -> Option<Self> {
        STATUS.iter().find(|(_, known)| *known == name).map(|(status, _)| *status)
    }
}

/// A message in the index of a thread. Its number is the position of its last entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IndexedMessage {
    pub seq: u64,
    pub role: String,
    pub id: String,
    /// The ids of its tool calls.
    pub calls: Vec<String>,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredRun {
    pub owner: String,
    /// The URL of the endpoints at which it was created.
    pub base: String,
    pub run_id: String,
    /// The service's id of the job.
    pub task_id: String,
    /// The hash of the body of its request.
    pub hash: String,
    /// The idempotency key of its request.
    pub key: Option<String>,
    /// The time of its creation, in milliseconds since 1970.
    pub at: u64,
    pub status: RunStatus,
    /// The process that has accepted the run, or drives it; empty if the store has one process.
    pub by: String,
    /// Whether the run created its thread.
    pub created: bool,
    pub canceled: bool,
    /// The number of times that the agent was started.
    pub attempts: u64,
    /// The number of its terminal event in the log; `None` before the end.
    pub terminal: Option<u64>,
    /// Whether its log was shortened.
    pub is_short: bool,
    /// The name of its log.
    pub log: String,
    /// The number of the event before its first one, and the message before its first one.
    pub before: u64,
    pub seq: u64,
    /// The messages of its request.
    pub messages: Vec<IndexedMessage>,
    /// The messages of its answer, and their time, after its end.
    pub answer: Vec<IndexedMessage>,
    pub ended: Option<u64>,
    /// The number of bytes of its events, after its end.
    pub bytes: u64,
}

impl StoredRun {
    pub fn is_active(&self) -> bool {
        matches!(self.status, RunStatus::Queued | RunStatus::Running)
    }
}

/// A change of a run: the properties that are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RunChange {
    pub status: Option<RunStatus>,
    pub by: Option<String>,
    pub canceled: Option<bool>,
    pub attempts: Option<u64>,
    pub terminal: Option<u64>,
    pub is_short: Option<bool>,
    pub log: Option<String>,
    pub answer: Option<Vec<IndexedMessage>>,
    pub ended: Option<u64>,
    pub bytes: Option<u64>,
}

impl RunChange {
    pub fn apply(&self, run: &StoredRun) -> StoredRun {
        let change = self.clone();
        StoredRun {
            status: change.status.unwrap_or(run.status),
            by: change.by.unwrap_or_else(|| run.by.clone()),
            canceled: change.canceled.unwrap_or(run.canceled),
            attempts: change.attempts.unwrap_or(run.attempts),
            terminal: change.terminal.or(run.terminal),
            is_short: change.is_short.unwrap_or(run.is_short),
            log: change.log.unwrap_or_else(|| run.log.clone()),
            answer: change.answer.unwrap_or_else(|| run.answer.clone()),
            ended: change.ended.or(run.ended),
            bytes: change.bytes.unwrap_or(run.bytes),
            ..run.clone()
        }
    }
}

/// A record of the log of a thread: a run, a change of one, or the deletion of the thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ThreadRecord {
    Run(StoredRun),
    Change(usize, RunChange),
    Deleted,
}

impl ThreadRecord {
    pub fn to_json(&self) -> String {
        object(|record| match self {
            ThreadRecord::Run(run) => write_run(run, record.member("run")),
            ThreadRecord::Change(at, change) => {
                integer(record, "change", *at as u64);
                write_change(change, record.member("to"));
            }
            ThreadRecord::Deleted => record.bool("isDeleted", Some(true)),
        })
    }

    pub fn parse(text: &str) -> Option<Self> {
        let record = parsed(text);
        if let Some(run) = record.get("run") {
            return Some(ThreadRecord::Run(run_of(run)));
        }
        if let (Some(change), Some(to)) = (optional_number(record.get("change")), record.get("to"))
        {
            return Some(ThreadRecord::Change(usize::try_from(change).ok()?, change_of(to)));
        }
        flag_of(&record, "isDeleted").then_some(ThreadRecord::Deleted)
    }
}

fn write_run(run: &StoredRun, out: &mut String) {
    // Members that are null are written: readers in JavaScript distinguish them from no members.
    let mut one = ObjectWriter::open(out, false);
    one.string("owner", Some(&run.owner));
    one.string("base", Some(&run.base));
    one.string("runId", Some(&run.run_id));
    one.string("taskId", Some(&run.task_id));
    one.string("hash", Some(&run.hash));
    one.value("key", Some(&run.key.as_deref().map_or(Value::Null, Value::from)));
    integer(&mut one, "at", run.at);
    one.string("status", Some(run.status.name()));
    one.string("by", Some(&run.by));
    one.bool("created", Some(run.created));
    one.bool("cancelled", Some(run.canceled));
    integer(&mut one, "attempts", run.attempts);
    one.value("terminal", Some(&run.terminal.map_or(Value::Null, |at| (at as i64).into())));
    one.bool("isShort", Some(run.is_short));
    one.string("log", Some(&run.log));
    integer(&mut one, "before", run.before);
    integer(&mut one, "seq", run.seq);
    write_messages(&run.messages, one.member("messages"));
    integer(&mut one, "bytes", run.bytes);
    one.close();
}

fn write_change(change: &RunChange, out: &mut String) {
    let mut to = ObjectWriter::open(out, true);
    to.string("status", change.status.map(RunStatus::name));
    to.string("by", change.by.as_deref());
    to.bool("cancelled", change.canceled);
    to.integer("attempts", change.attempts.map(|number| number as i64));
    to.integer("terminal", change.terminal.map(|number| number as i64));
    to.bool("isShort", change.is_short);
    to.string("log", change.log.as_deref());
    if let Some(answer) = &change.answer {
        write_messages(answer, to.member("answer"));
    }
    to.integer("ended", change.ended.map(|number| number as i64));
    to.integer("bytes", change.bytes.map(|number| number as i64));
    to.close();
}

fn run_of(run: &Value) -> StoredRun {
    StoredRun {
        owner: text_of(run, "owner"),
        base: text_of(run, "base"),
        run_id: text_of(run, "runId"),
        task_id: text_of(run, "taskId"),
        hash: text_of(run, "hash"),
        key: optional_text(run, "key"),
        at: run.get("at").map_or(0, number_of),
        status: run.text("status").and_then(RunStatus::of).unwrap_or_default(),
        by: text_of(run, "by"),
        created: flag_of(run, "created"),
        canceled: flag_of(run, "cancelled"),
        attempts: run.get("attempts").map_or(0, number_of),
        terminal: optional_number(run.get("terminal")),
        is_short: flag_of(run, "isShort"),
        log: text_of(run, "log"),
        before: run.get("before").map_or(0, number_of),
        seq: run.get("seq").map_or(0, number_of),
        messages: messages_of(run.get("messages")),
        answer: messages_of(run.get("answer")),
        ended: optional_number(run.get("ended")),
        bytes: run.get("bytes").map_or(0, number_of),
    }
}

fn change_of(to: &Value) -> RunChange {
    let flag = |key| to.get(key).and_then(Value::as_bool);
    RunChange {
        status: to.text("status").and_then(RunStatus::of),
        by: optional_text(to, "by"),
        canceled: flag("cancelled"),
        attempts: optional_number(to.get("attempts")),
        terminal: optional_number(to.get("terminal")),
        is_short: flag("isShort"),
        log: optional_text(to, "log"),
        answer: to.get("answer").map(|answer| messages_of(Some(answer))),
        ended: optional_number(to.get("ended")),
        bytes: optional_number(to.get("bytes")),
    }
}

/// Writes messages of the index: each a list of its number, role, id and calls.
fn write_messages(messages: &[IndexedMessage], out: &mut String) {
    object_list(out, messages, |message, out| {
        *out += "[";
        *out += &message.seq.to_string();
        for text in [&message.role, &message.id].into_iter().chain(&message.calls) {
            out.push(',');
            *out += &stringified(text);
        }
        *out += "]";
    });
}

fn messages_of(value: Option<&Value>) -> Vec<IndexedMessage> {
    let message = |value: &Value| {
        let parts = list_of(Some(value));
        let text = |at: usize| parts.get(at).and_then(Value::as_str).unwrap_or_default().to_owned();
        IndexedMessage {
            seq: parts.first().map_or(0, number_of),
            role: text(1),
            id: text(2),
            calls: texts_of(parts.get(3..).unwrap_or_default()),
        }
    };
    list_of(value).iter().map(message).collect()
}

/// A message of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredMessage {
    /// The number of the message, ascending within the thread. It is set when it is stored.
    pub seq: u64,
    pub id: String,
    /// The role of the sender.
    pub role: String,
    /// The text that the history shows.
    pub content: String,
    /// The other properties of the message in the history, as JSON.
    pub extra: String,
    /// The message as the agent receives it in later runs, as JSON.
    pub message: String,
    /// Whether the history shows it.
    pub is_shown: bool,
    /// Milliseconds since 1970.
    pub at: u64,
}

impl StoredMessage {
    pub(super) fn to_json(&self) -> String {
        object(|out| self.write_members(out))
    }

    fn write_members(&self, out: &mut ObjectWriter<'_>) {
        out.string("id", Some(&self.id));
        out.string("role", Some(&self.role));
        out.string("content", Some(&self.content));
        out.string("extra", Some(&self.extra));
        out.string("message", Some(&self.message));
        out.bool("isShown", Some(self.is_shown));
        integer(out, "at", self.at);
    }

    pub(super) fn parse(seq: u64, text: &str) -> Self {
        Self::of(seq, &parsed(text))
    }

    fn of(seq: u64, value: &Value) -> Self {
        StoredMessage {
            seq,
            id: text_of(value, "id"),
            role: text_of(value, "role"),
            content: text_of(value, "content"),
            extra: text_of(value, "extra"),
            message: text_of(value, "message"),
            is_shown: flag_of(value, "isShown"),
            at: value.get("at").map_or(0, number_of),
        }
    }
}

/// Returns messages for the index.
pub(super) fn indexed(messages: &[StoredMessage], seq: u64) -> Vec<IndexedMessage> {
    let mut last = seq;
    let index = |message: &StoredMessage| {
        last += entries_of(&message.to_json(), 0).len() as u64;
        IndexedMessage {
            seq: last,
            role: message.role.clone(),
            id: message.id.clone(),
            calls: calls_in(&message.role, &message.message),
        }
    };
    messages.iter().map(index).collect()
}

/// Returns the ids of the tool calls in a message, which is JSON.
fn calls_in(role: &str, message: &str) -> Vec<String> {
    if role != "assistant" {
        return Vec::new();
    }
    let message = parsed(message);
    let calls = list_of(message.get("toolCalls"));
    calls.iter().filter_map(|call| call.text("id")).map(Into::into).collect()
}

/// The first text of the log of a run: the body of the request, and its messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RequestText {
    pub input: String,
    pub messages: Vec<StoredMessage>,
}

impl RequestText {
    pub fn to_json(&self) -> String {
        object(|out| {
            out.string("input", Some(&self.input));
            object_list(out.member("messages"), &self.messages, |message, out| {
                let mut one = ObjectWriter::open(out, true);
                message.write_members(&mut one);
                one.close();
            });
        })
    }

    pub fn parse(text: &str) -> Self {
        let value = parsed(text);
        let messages = list_of(value.get("messages"));
        RequestText {
            input: text_of(&value, "input"),
            messages: messages.iter().map(|message| StoredMessage::of(0, message)).collect(),
        }
    }
}
