//! The checks of every statement of [`LogStore`], for authors of stores.

use std::boxed::Box;
use std::collections::BTreeSet;
use std::fmt;
use std::format;
use std::future::Future;
use std::pin::Pin;
use std::string::{String, ToString};
use std::sync::Arc;
use std::time::Duration;
use std::vec;
use std::vec::Vec;

use tokio::task::JoinSet;
use tokio::time::timeout;
use uuid::Uuid;

use super::{Changes, ListedLog, LogEntry, LogHead, LogList, LogQuery, LogStore, StoreError};

/// The statements that do not hold for a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedChecks {
    /// The statement of each, and what was found.
    pub failures: Vec<(&'static str, String)>,
}

impl fmt::Display for FailedChecks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, found)) in self.failures.iter().enumerate() {
            write!(f, "{}{name}: {found}", if at > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for FailedChecks {}

/// Checks a store, in a runtime of tokio. The checks use random names, and leave their logs.
///
/// `other` is the same data as another process opens it; without one, pass the store again.
///
/// # Errors
///
/// The statements that do not hold.
///
/// ```
/// # use std::sync::Arc;
/// use agentwire::stores::{MemoryStore, testing::check_store};
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let store = Arc::new(MemoryStore::default());
/// check_store(store.clone(), store).await
/// # }).unwrap();
/// ```
pub async fn check_store(
    store: Arc<dyn LogStore>,
    other: Arc<dyn LogStore>,
) -> Result<(), FailedChecks> {
    let mut failures = Vec::new();
    for (name, check) in CHECKS {
        let log = format!("check-{}", Uuid::new_v4());
        let checked = Checked { store: store.clone(), other: other.clone(), name: log };
        if let Err(error) = check(checked).await {
            failures.push((name, error.to_string()));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(FailedChecks { failures }) }
}

type Checking = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;
type Check = (&'static str, fn(Checked) -> Checking);

const CHECKS: [Check; 15] = [
    ("a log that does not exist has no head and no entries", |one| Box::pin(missing(one))),
    ("appends after the last position, and refuses every other one without a change", |one| {
        Box::pin(appends(one))
    }),
    ("replaces the head, with entries and without", |one| Box::pin(heads(one))),
    ("reads entries after a position, in their order, at most as many as asked", |one| {
        Box::pin(reads(one))
    }),
    ("stores every text", |one| Box::pin(texts(one))),
    ("stores texts of 1,900,000 bytes", |one| Box::pin(large(one))),
    ("logs with similar names are different", |one| Box::pin(names(one))),
    ("of appends at once after the same position, one succeeds", |one| Box::pin(races(one))),
    ("what was appended is read at once, also by another process", |one| Box::pin(visible(one))),
    ("lists the logs of a label, from the highest place to the lowest, in pages", |one| {
        Box::pin(labels(one))
    }),
    ("lists the logs with work to do, from the lowest place to the highest, in pages", |one| {
        Box::pin(work(one))
    }),
    ("a log leaves a list when its head changes, and when it is deleted", |one| {
        Box::pin(leaves(one))
    }),
    ("deletes a log; with a position, only if it is the last one", |one| Box::pin(deletes(one))),
    ("appends and deletions at once leave no entries of an earlier log", |one| {
        Box::pin(deleted_races(one))
    }),
    ("reports changes of other processes, if several processes use the store", |one| {
        Box::pin(reports(one))
    }),
];

/// The largest number that a log has.
const LARGEST: u64 = (1 << 53) - 1;
const LARGE: u64 = 1 << 52;

/// Texts that a database may change: it must store them as they are.
const TEXTS: [&str; 10] = [
    "",
    " ",
    "\n\r\n\t",
    "'; DROP TABLE agentwire_logs; --",
    "\"\\\" \\u0000 %s $1 ? {}",
    "\u{1}\u{1f}\u{7f}\u{85}\u{2028}\u{2029}\u{feff}",
    "\u{e9} e\u{301} \u{1f600} \u{10ffff} \u{ffff}",
    "null",
    "0",
    "[]",
];

/// A store with names that no other check uses.
struct Checked {
    store: Arc<dyn LogStore>,
    other: Arc<dyn LogStore>,
    name: String,
}

impl Checked {
    fn log(&self, end: &str) -> String {
        format!("{}/{end}", self.name)
    }

    /// Returns whether entries with these positions were appended; their texts are their positions.
    async fn append(&self, after: u64, positions: &[u64]) -> Result<bool, StoreError> {
        self.store.append(&self.name, after, &entries_at(positions), &head("head")).await
    }

    async fn expect(&self, after: u64, limit: usize, positions: &[u64]) -> Result<(), StoreError> {
        let page = self.store.read(&self.name, after, limit).await?;
        equal(&page.entries, &entries_at(positions), &format!("the entries after {after}"))
    }

    /// Lists all pages, without the logs of other checks.
    async fn list(&self, list: LogList, limit: usize) -> Result<Vec<String>, StoreError> {
        let mut found = Vec::new();
        let mut query = LogQuery { list, after: None, limit };
        loop {
            let page = self.store.list(&query).await?;
            if page.len() > limit {
                return Err(format!("a page of {} instead of {limit} logs", page.len()).into());
            }
            let own =
                |one: &ListedLog| one.log.strip_prefix(&*self.log("")).map(ToString::to_string);
            found.extend(page.iter().filter_map(own));
            if page.len() < limit {
                return Ok(found);
            }
            query.after = page.last().cloned();
        }
    }

    fn label(&self, end: &str) -> LogList {
        LogList::Label([&self.name, end].concat())
    }
}

fn head(data: &str) -> LogHead {
    LogHead { at: 1, data: data.into(), ..LogHead::default() }
}

fn entries_at(positions: &[u64]) -> Vec<LogEntry> {
    let entry = |position: &u64| LogEntry { position: *position, text: format!("text {position}") };
    positions.iter().map(entry).collect()
}

fn equal<T: PartialEq + fmt::Debug>(found: T, expected: T, what: &str) -> Result<(), StoreError> {
    if found == expected {
        return Ok(());
    }
    let short = |value: &T| format!("{value:?}").chars().take(500).collect::<String>();
    Err(format!("{what}: {} instead of {}", short(&found), short(&expected)).into())
}

async fn missing(one: Checked) -> Result<(), StoreError> {
    let page = one.store.read(&one.name, 0, 10).await?;
    equal((page.head, page.last, page.entries.len()), (None, 0, 0), "the log")
}

async fn appends(one: Checked) -> Result<(), StoreError> {
    equal(one.append(5, &[6]).await?, false, "the first append after 5")?;
    equal(one.append(0, &[3, 5]).await?, true, "the first append")?;
    for after in [0, 3, 4, 6] {
        let entries = entries_at(&[after + 10]);
        let is_appended = one.store.append(&one.name, after, &entries, &head("refused")).await?;
        equal(is_appended, false, &format!("an append after {after}"))?;
    }
    equal(one.append(5, &[6, LARGE]).await?, true, "an append after 5")?;
    let page = one.store.read(&one.name, 0, 0).await?;
    equal((page.head, page.last), (Some(head("head")), LARGE), "the head")?;
    one.expect(0, 10, &[3, 5, 6, LARGE]).await
}

async fn heads(one: Checked) -> Result<(), StoreError> {
    let Checked { store, name, .. } = &one;
    let label = |end: &str| Some([name, end].concat());
    let heads: [(u64, &[u64], LogHead); 5] = [
        (0, &[], LogHead { label: label(""), at: LARGE, due: Some(7), data: "a".into() }),
        (0, &[], head("b")),
        (0, &[4], LogHead { at: 0, due: Some(0), ..head("c") }),
        (4, &[], LogHead { label: label(""), ..head("d") }),
        (4, &[9], LogHead { label: label(".b"), due: Some(2), ..head("e") }),
    ];
    for (after, positions, head) in heads {
        let is_appended = store.append(name, after, &entries_at(positions), &head).await?;
        equal(is_appended, true, "an append")?;
        let page = store.read(name, 0, 0).await?;
        let last = positions.first().copied().unwrap_or(after);
        equal((page.head, page.last), (Some(head), last), "the head")?;
    }
    equal(store.append(name, 4, &[], &head("f")).await?, false, "a head after 4")?;
    let data = store.read(name, 0, 0).await?.head.map(|head| head.data);
    equal(data.as_deref(), Some("e"), "the head")
}

async fn reads(one: Checked) -> Result<(), StoreError> {
    let positions: Vec<u64> = (1..=300).map(|at| at * 3).collect();
    for (at, page) in positions.chunks(100).enumerate() {
        one.append(at as u64 * 300, page).await?;
    }
    for (after, limit) in
        [(0, 1), (0, 1000), (1, 2), (3, 299), (450, 7), (899, 1), (900, 5), (LARGEST, 5)]
    {
        let later = positions.iter().copied().filter(|position| *position > after);
        one.expect(after, limit, &later.take(limit).collect::<Vec<_>>()).await?;
    }
    equal(one.store.read(&one.name, 900, 5).await?.last, 900, "the last position")
}

async fn texts(one: Checked) -> Result<(), StoreError> {
    let mut entries = Vec::new();
    for (at, text) in TEXTS.iter().enumerate() {
        let at = at as u64;
        entries.push(LogEntry { position: at + 1, text: text.to_string() });
        one.store.append(&one.name, at, &entries[at as usize..], &head(text)).await?;
        let data = one.store.read(&one.name, 0, 0).await?.head.map(|head| head.data);
        equal(data.as_deref(), Some(*text), "the data of the head")?;
    }
    equal(one.store.read(&one.name, 0, 99).await?.entries, entries, "the entries")
}

async fn large(one: Checked) -> Result<(), StoreError> {
    let texts = ["x".repeat(1_900_000), "\u{6f22}".repeat(633_333)];
    for (at, text) in texts.iter().enumerate() {
        let entry = LogEntry { position: at as u64 + 1, text: text.clone() };
        one.store.append(&one.name, at as u64, &[entry], &head("head")).await?;
    }
    let page = one.store.read(&one.name, 0, 2).await?;
    let is_same = page.entries.iter().map(|entry| &entry.text).eq(&texts);
    equal(is_same, true, "the large texts are the same")
}

async fn names(one: Checked) -> Result<(), StoreError> {
    let ends = ["a", "A", "a/", "a/b", "a.b", "a-b", "a_b", "a/b/c"];
    for (at, end) in ends.iter().enumerate() {
        let entries = entries_at(&[at as u64 + 1]);
        equal(one.store.append(&one.log(end), 0, &entries, &head("head")).await?, true, end)?;
    }
    for (at, end) in ends.iter().enumerate() {
        let page = one.store.read(&one.log(end), 0, 9).await?;
        equal(page.entries, entries_at(&[at as u64 + 1]), end)?;
    }
    let long = one.log(&"n".repeat(299 - one.name.len()));
    let entries = entries_at(&[1]);
    let is_appended = one.store.append(&long, 0, &entries, &head("head")).await?;
    equal(is_appended, true, "a name of 300 characters")?;
    equal(one.store.read(&long, 0, 9).await?.entries, entries, "a name of 300 characters")
}

async fn races(one: Checked) -> Result<(), StoreError> {
    let mut last = 0;
    for _ in 0..10 {
        let mut appending = JoinSet::new();
        for at in 1..=8_u64 {
            let store = if at % 2 == 0 { &one.store } else { &one.other }.clone();
            let name = one.name.clone();
            appending.spawn(async move {
                let entry = |position| LogEntry { position, text: at.to_string() };
                let mut entries = vec![entry(last + 1), entry(last + at)];
                entries.truncate(if at == 1 { 1 } else { 2 });
                let head = head(&at.to_string());
                (at, store.append(&name, last, &entries, &head).await)
            });
        }
        let mut winners = Vec::new();
        while let Some(result) = appending.join_next().await {
            let (at, is_appended) = result?;
            winners.extend(is_appended?.then_some(at));
        }
        equal(winners.len(), 1, "the number of appends that succeeded")?;
        let winner = winners.first().map(ToString::to_string).unwrap_or_default();
        let page = one.store.read(&one.name, last, 99).await?;
        let mut texts: BTreeSet<_> = page.entries.into_iter().map(|entry| entry.text).collect();
        texts.extend(page.head.map(|head| head.data));
        let expected = BTreeSet::from([winner]);
        equal(texts, expected, "the head and the entries are those of one append")?;
        last = page.last;
    }
    Ok(())
}

async fn visible(one: Checked) -> Result<(), StoreError> {
    for at in 1..=20 {
        let (writer, reader) =
            if at % 2 == 0 { (&one.store, &one.other) } else { (&one.other, &one.store) };
        let head = head(&at.to_string());
        let entries = entries_at(&[at]);
        equal(writer.append(&one.name, at - 1, &entries, &head).await?, true, "an append")?;
        let page = reader.read(&one.name, at - 1, 9).await?;
        equal((page.head, page.last, page.entries), (Some(head), at, entries), "the log")?;
    }
    Ok(())
}

async fn labels(one: Checked) -> Result<(), StoreError> {
    let places = [5, 1, LARGE, 3, 3, 3, 9, 0];
    let labeled =
        |end: &str, at| LogHead { label: Some([&one.name, end].concat()), at, ..head("x") };
    for (at, place) in places.iter().enumerate() {
        one.store.append(&one.log(&at.to_string()), 0, &[], &labeled("", *place)).await?;
    }
    one.store.append(&one.log("other"), 0, &entries_at(&[1]), &labeled(".b", 1)).await?;
    one.store.append(&one.log("none"), 0, &entries_at(&[1]), &head("x")).await?;
    for limit in [1, 2, 3, 100] {
        let found = one.list(one.label(""), limit).await?;
        equal(
            found,
            ["2", "6", "0", "5", "4", "3", "1", "7"].map(String::from).into(),
            "the logs",
        )?;
    }
    equal(one.list(one.label(".c"), 9).await?, Vec::new(), "another label")?;
    let query = LogQuery { list: one.label(""), after: None, limit: 1 };
    let first = one.store.list(&query).await?;
    let head = first.first().map(|first| first.head.clone());
    equal(head, Some(labeled("", LARGE)), "the head of a listed log")
}

async fn work(one: Checked) -> Result<(), StoreError> {
    let places = [Some(5), None, Some(LARGE), Some(3), Some(0), Some(9)];
    for (at, due) in places.into_iter().enumerate() {
        let head = LogHead { due, ..head("x") };
        one.store.append(&one.log(&at.to_string()), 0, &[], &head).await?;
    }
    let due = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    for limit in [1, 2, 100] {
        equal(one.list(LogList::Due(9), limit).await?, due(&["4", "3", "0", "5"]), "the logs")?;
    }
    let all = one.list(LogList::Due(u64::MAX), 100).await?;
    equal(all, due(&["4", "3", "0", "5", "2"]), "all logs")?;
    equal(one.list(LogList::Due(2), 100).await?, due(&["4"]), "those up to 2")
}

async fn leaves(one: Checked) -> Result<(), StoreError> {
    let log = one.log("a");
    let labeled = |end: &str, due| LogHead {
        label: Some([&one.name, end].concat()),
        due: Some(due),
        ..head("x")
    };
    one.store.append(&log, 0, &entries_at(&[1]), &labeled("", 4)).await?;
    one.store.append(&log, 1, &entries_at(&[2]), &labeled(".b", 6)).await?;
    let name = vec!["a".to_string()];
    equal(one.list(one.label(""), 9).await?, Vec::new(), "the first label")?;
    equal(one.list(one.label(".b"), 9).await?, name.clone(), "the second label")?;
    equal(one.list(LogList::Due(5), 9).await?, Vec::new(), "the work up to 5")?;
    equal(one.list(LogList::Due(6), 9).await?, name, "the work up to 6")?;
    one.store.delete(&log, None).await?;
    equal(one.list(one.label(".b"), 9).await?, Vec::new(), "the label of a deleted log")?;
    equal(one.list(LogList::Due(u64::MAX), 9).await?, Vec::new(), "the work of a deleted log")
}

async fn deletes(one: Checked) -> Result<(), StoreError> {
    let all: Vec<u64> = (1..=20).collect();
    one.append(0, &all).await?;
    one.store.delete(&one.name, Some(19)).await?;
    one.expect(0, 99, &all).await?;
    one.store.delete(&one.name, Some(20)).await?;
    equal(one.store.read(&one.name, 0, 9).await?.head, None, "the deleted log")?;
    equal(one.append(20, &[21]).await?, false, "an append after the deletion")?;
    equal(one.append(0, &[7]).await?, true, "the first append after the deletion")?;
    one.expect(0, 99, &[7]).await?;
    one.store.delete(&one.name, None).await?;
    one.store.delete(&one.name, None).await?;
    equal(one.store.read(&one.name, 0, 9).await?.last, 0, "the deleted log")
}

async fn deleted_races(one: Checked) -> Result<(), StoreError> {
    for _ in 0..10 {
        one.append(0, &[1]).await?;
        let (other, name) = (one.other.clone(), one.name.clone());
        let appending =
            tokio::spawn(
                async move { other.append(&name, 1, &entries_at(&[2]), &head("head")).await },
            );
        one.store.delete(&one.name, None).await?;
        appending.await??;
        let page = one.store.read(&one.name, 0, 9).await?;
        equal((page.head, page.entries), (None, Vec::new()), "the deleted log")?;
    }
    Ok(())
}

async fn reports(one: Checked) -> Result<(), StoreError> {
    let Checked { store, other, name } = &one;
    if !store.is_shared() || Arc::ptr_eq(store, other) {
        return Ok(());
    }
    let below = one.log("a/b");
    let mut changes = store.watch(name).await?;
    let (first, other_head) = (entries_at(&[1]), head("other"));
    other.append(name, 0, &first, &head("head")).await?;
    reported(&mut changes, "an append").await?;
    other.append(&below, 0, &first, &head("head")).await?;
    reported(&mut changes, "an append to a log below").await?;
    other.append(&below, 1, &[], &other_head).await?;
    reported(&mut changes, "a head").await?;
    other.delete(&below, None).await?;
    reported(&mut changes, "a deletion of a log below").await?;
    other.delete(name, None).await?;
    reported(&mut changes, "a deletion").await?;
    drop(changes);
    let mut again = store.watch(name).await?;
    other.append(name, 0, &first, &head("head")).await?;
    reported(&mut again, "an append after the name was watched again").await
}

async fn reported(changes: &mut Changes, what: &str) -> Result<(), StoreError> {
    match timeout(Duration::from_secs(10), changes.changed()).await {
        Ok(()) => Ok(()),
        Err(_) => Err(format!("{what} is not reported").into()),
    }
}
