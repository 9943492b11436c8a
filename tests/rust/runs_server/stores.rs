//! Both stores give the same answers to the same calls.

use std::fmt::Debug;
use std::sync::Arc;

use agentwire::emit::AnyError;
use agentwire::runs::log::StoredEvent;
use agentwire::runs_server::{
    FindRun, LogEntry, MemoryStore, NewRun, RunsStore, SqliteStore, StoredMessage,
};

const DAY: u64 = 24 * 3600 * 1000;

fn message(id: &str, role: &str, content: &str, at: u64) -> StoredMessage {
    let message = format!(
        r#"{{"id":"{id}","role":"{role}","content":"{content}","toolCalls":[{{"id":"call-{id}"}}]}}"#
    );
    let [id, role, content] = [id, role, content].map(str::to_owned);
    StoredMessage { seq: 0, id, role, content, extra: "{}".into(), message, is_shown: true, at }
}

fn new_run(owner: &str, run_id: &str, key: Option<&str>, at: u64) -> NewRun {
    NewRun {
        owner: owner.into(),
        generation: "g".into(),
        base: format!("http://{at}"),
        run_id: run_id.into(),
        task_id: format!("task {run_id}"),
        hash: format!("hash {run_id}"),
        key: key.map(str::to_owned),
        input: "{}".into(),
        at,
        messages: vec![message(&format!("of {run_id}"), "user", "asked", at)],
    }
}

fn entries(run_id: &str, numbers: std::ops::RangeInclusive<u64>) -> Arc<[StoredEvent]> {
    numbers
        .map(|number| StoredEvent {
            number,
            run_id: run_id.into(),
            kind: "K".into(),
            data: format!("[{number}]"),
        })
        .collect()
}

/// Calls a store, and returns everything that it answers.
async fn told(store: &dyn RunsStore) -> Result<Vec<String>, AnyError> {
    let mut told = Vec::new();
    let mut tell = |answer: &dyn Debug| told.push(format!("{answer:?}"));
    tell(&store.state("t").await?);
    tell(&store.add_run("t", new_run("ann", "a", Some("key"), DAY)).await?);
    for refused in
        [new_run("eve", "b", None, 1), new_run("ann", "a", None, 1), new_run("ann", "b", None, 1)]
    {
        tell(&store.add_run("t", refused).await?);
    }
    tell(&store.find("t", FindRun::Active).await?);
    store.start("t", "a").await?;
    store.queue_again("t", "a").await?;
    store.start("t", "a").await?;
    store.cancel("t", "a").await?;
    store.append("t", entries("a", 1..=5), None).await?;
    tell(&store.due(0).await?);
    let mut hidden = message("hidden", "assistant", "hidden", DAY);
    hidden.is_shown = false;
    store
        .append(
            "t",
            entries("a", 6..=9),
            Some(vec![message("1", "assistant", "answered", DAY), hidden]),
        )
        .await?;
    tell(&store.add_run("t", new_run("ann", "b", Some("key"), DAY)).await?);
    tell(&store.add_run("t", new_run("ann", "b", None, 3 * DAY)).await?);
    store.start("t", "b").await?;
    store
        .append(
            "t",
            entries("b", 10..=10),
            Some(vec![message("2", "assistant", "second", 3 * DAY + 1)]),
        )
        .await?;
    for run in [FindRun::Id("a"), FindRun::Key("key"), FindRun::Active, FindRun::Id("c")] {
        tell(&store.find("t", run).await?);
    }
    for (run, after, limit) in
        [("a", 0, 3), ("a", 3, 100), ("a", 9, 100), ("b", 0, 100), ("c", 0, 100)]
    {
        tell(&store.read("t", run, after, limit).await?);
    }
    tell(&store.ended("t").await?);
    for time in [0, 2 * DAY, 9 * DAY] {
        tell(&store.due(time).await?);
    }
    tell(&store.messages_of("t", "1", "assistant").await?);
    tell(&store.messages_of("t", "1", "user").await?);
    tell(&[store.has_call("t", "call-1").await?, store.has_call("t", "call-3").await?]);
    for limit in [0, 150, usize::MAX] {
        tell(&store.latest_messages("t", limit).await?);
    }
    for (before, before_seq, limit) in [
        ("9999", u64::MAX, 1000),
        ("9999", u64::MAX, 10),
        ("9999", 5, 1000),
        ("1970-01-04", u64::MAX, 1000),
        ("1970-01-02", 9, 9),
    ] {
        tell(&store.history("t", before, before_seq, limit).await?);
    }
    let joined =
        StoredEvent { number: 5, run_id: "a".into(), kind: "K".into(), data: "[1,2,3,4,5]".into() };
    let log = vec![LogEntry { entry: joined, pieces: Some("1 1 1 1 1".into()) }];
    store.shorten("t", "a", log).await?;
    tell(&store.read("t", "a", 3, 9).await?);
    tell(&store.state("t").await?);
    store.expire("t", "b").await?;
    tell(&(
        store.find("t", FindRun::Id("b")).await?,
        store.ended("t").await?,
        store.state("t").await?,
    ));
    tell(&store.append("t", entries("c", 11..=11), None).await.is_err());
    tell(&(store.latest_thread("ann").await?, store.latest_thread("eve").await?));
    store.delete("t").await?;
    tell(&(
        store.state("t").await?,
        store.due(u64::MAX).await?,
        store.latest_messages("t", 99).await?,
    ));
    tell(&store.add_run("t", new_run("eve", "a", Some("key"), DAY)).await?);
    tell(&store.state("t").await?);
    Ok(told)
}

#[tokio::test]
async fn the_stores_give_the_same_answers() {
    let file = std::env::temp_dir().join(format!("agentwire-store-{}.sqlite", std::process::id()));
    let sqlite = SqliteStore::open(&file).unwrap();
    let (told_by_sqlite, told_by_memory) =
        (told(&sqlite).await.unwrap(), told(&MemoryStore::default()).await.unwrap());
    // The numbers of messages ascend in the whole file.
    assert_eq!(told_by_sqlite, told_by_memory);
    drop(sqlite);
    let again = SqliteStore::open(&file).unwrap();
    assert_eq!(again.state("t").await.unwrap().unwrap().owner, "eve");
    drop(again);
    for end in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(format!("{}{end}", file.display())));
    }
}

/// Texts of which several are equal to a database that ends a text at NUL, or that folds or
/// normalizes texts; and long ones.
fn hostile() -> Vec<String> {
    let short = [
        "al",
        "AL",
        "al ",
        "al\0",
        "al\0x",
        "\0",
        "al\u{fffd}",
        "\u{1}al",
        "\u{e9}",
        "e\u{301}",
        "\u{feff}al",
        "a\\u0000l",
        "a\"l",
        "a'; DROP TABLE threads; --",
        "a\\",
        "a\nl",
        "%",
        "_",
        "null",
        "0",
        "{}",
        "🙂",
    ];
    let long = [2704_usize, 60_000]
        .map(|length| (0..length).map(|at| char::from(b'a' + (at * at % 26) as u8)).collect());
    short.into_iter().map(str::to_owned).chain(long).collect()
}

/// Stores a thread of each name, whose ids and texts are that name, and returns everything that the
/// store answers.
async fn named(store: &dyn RunsStore) -> Result<Vec<String>, AnyError> {
    let mut told = Vec::new();
    let names = hostile();
    for (at, name) in names.iter().enumerate() {
        let thread = at.to_string();
        let json = agentwire::json::Value::from(&**name).to_json();
        let stored = |role: &str, id: &str| StoredMessage {
            id: id.to_owned(),
            role: role.into(),
            content: name.clone(),
            message: format!(r#"{{"id":{json},"role":"{role}","toolCalls":[{{"id":{json}}}]}}"#),
            ..message("", role, "", DAY)
        };
        let run = NewRun {
            messages: vec![stored("user", name)],
            input: name.clone(),
            ..new_run(name, name, Some(name), DAY)
        };
        told.push(format!("{}", store.add_run(&thread, run).await?));
        store.start(&thread, name).await?;
        let entry =
            StoredEvent { number: 1, run_id: name.clone(), kind: name.clone(), data: name.clone() };
        store.append(&thread, [entry].into(), Some(vec![stored("assistant", name)])).await?;
    }
    for (at, name) in names.iter().enumerate() {
        let thread = at.to_string();
        let state = store.state(&thread).await?;
        assert_eq!(state.map(|state| state.owner).as_ref(), Some(name));
        assert_eq!(store.latest_thread(name).await?.as_ref(), Some(&thread), "{name:?}");
        let read = store.read(&thread, name, 0, 9).await?;
        assert_eq!([&read[0].entry.data, &read[0].entry.kind], [name, name]);
        for run in [FindRun::Id(name), FindRun::Key(name)] {
            let found = store.find(&thread, run).await?.map(|run| (run.run_id, run.input));
            assert_eq!(found, Some((name.clone(), name.clone())));
        }
        let page = store.history(&thread, "9999", u64::MAX, usize::MAX).await?;
        assert!(
            page.messages.iter().all(|one| one.id == *name && one.content == *name),
            "{name:?}"
        );
        for other in &names {
            let is_it = other == name;
            assert_eq!(
                store.find(&thread, FindRun::Id(other)).await?.is_some(),
                is_it,
                "{name:?} {other:?}"
            );
            assert_eq!(
                store.messages_of(&thread, other, "assistant").await?.len(),
                usize::from(is_it)
            );
            assert_eq!(store.has_call(&thread, other).await?, is_it, "{name:?} {other:?}");
        }
        told.push(format!("{:?}", store.latest_messages(&thread, usize::MAX).await?));
    }
    Ok(told)
}

#[tokio::test]
async fn the_stores_keep_every_name_and_text() {
    let file = std::env::temp_dir().join(format!("agentwire-names-{}.sqlite", std::process::id()));
    let sqlite = SqliteStore::open(&file).unwrap();
    assert_eq!(named(&sqlite).await.unwrap(), named(&MemoryStore::default()).await.unwrap());
    drop(sqlite);
    for end in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(format!("{}{end}", file.display())));
    }
}
