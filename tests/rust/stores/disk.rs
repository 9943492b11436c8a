//! A disk without space: an append fails, nothing of it is stored, and the store continues when
//! there is space again.

use std::process::Command;

use agentwire::stores::{LogStore, SqliteStore};

use crate::files::Folder;
use crate::{entry, head};

#[tokio::test]
async fn an_append_to_a_full_disk_fails_and_the_store_continues() {
    let folder = Folder::new();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
        .arg(&folder.0)
        .output();
    if !mounted.is_ok_and(|mounted| mounted.status.success()) {
        eprintln!("skipped: a small disk cannot be mounted");
        return;
    }
    let _unmount = Unmount(&folder);
    let store = SqliteStore::open(folder.0.join("store.sqlite")).unwrap();
    assert!(store.append("a", 0, &[entry(1, "one")], &head("first")).await.unwrap());
    let filler = folder.0.join("filler");
    // Until the disk is full.
    drop(std::fs::write(&filler, vec![0; 4 << 20]));
    let large = entry(2, &"x".repeat(1_000_000));
    let error = store.append("a", 1, std::slice::from_ref(&large), &head("second")).await;
    assert!(error.unwrap_err().to_string().contains("full"));
    let page = store.read("a", 0, 9).await.unwrap();
    assert_eq!((page.last, page.head), (1, Some(head("first"))));
    std::fs::remove_file(filler).unwrap();
    assert!(store.append("a", 1, &[entry(2, "two")], &head("second")).await.unwrap());
}

struct Unmount<'a>(&'a Folder);

impl Drop for Unmount<'_> {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(&self.0.0).output());
    }
}
