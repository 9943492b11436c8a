//! SQLite: what a file adds to the checks of all stores.

use std::path::PathBuf;
use std::sync::Arc;

use agentwire::builder::{IdSource, RandomIds};
use agentwire::stores::testing::check_store;
use agentwire::stores::{LogStore, SqliteStore};

use crate::{entry, head};

/// A folder that is removed.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        let folder =
            std::env::temp_dir().join(format!("agentwire-stores-{}", RandomIds.next_id("")));
        std::fs::create_dir(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_passes_the_checks() {
    let folder = Folder::new();
    let store = Arc::new(SqliteStore::open(folder.0.join("store.sqlite")).unwrap());
    check_store(store.clone(), store).await.unwrap();
}

#[tokio::test]
async fn a_file_keeps_its_logs_and_belongs_to_one_store() {
    let folder = Folder::new();
    let path = folder.0.join("store.sqlite");
    let store = SqliteStore::open(&path).unwrap();
    assert!(store.append("a", 0, &[entry(1, "one")], &head("state")).await.unwrap());
    assert!(SqliteStore::open(&path).is_err(), "a second store of the file");
    drop(store);
    let store = SqliteStore::open(&path).unwrap();
    let page = store.read("a", 0, 9).await.unwrap();
    assert_eq!((page.head, page.entries), (Some(head("state")), vec![entry(1, "one")]));
}

#[tokio::test]
async fn a_file_of_an_earlier_version_is_refused() {
    let folder = Folder::new();
    let path = folder.0.join("store.sqlite");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE runs (id)").unwrap();
    let error = SqliteStore::open(&path).unwrap_err().to_string();
    assert!(error.contains("earlier version"), "{error}");
}
