//! The stores of attachments: memory, and a folder.

use std::boxed::Box;
use std::collections::HashMap;
use std::fs::{self, File};
use std::future::ready;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::string::{String, ToString};
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

use bytes::Bytes;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::emit::AnyError;
use crate::stores::StoreFuture;

/// A store of attachments. The service calls it only with paths of the form that it has issued,
/// whatever a client sends: `<folder>/<name>.<extension>` of letters, digits and `-`. A blob never
/// changes.
pub trait BlobStore: Send + Sync + 'static {
    /// Stores a blob: it is whole, or does not exist.
    fn put<'a>(&'a self, path: &'a str, bytes: Bytes) -> StoreFuture<'a, ()>;
    /// Returns the number of bytes of a blob, if it exists.
    fn size<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<u64>>;
    /// Returns at most `length` bytes of a blob from an offset; empty if there are none.
    fn read<'a>(&'a self, path: &'a str, offset: u64, length: usize) -> StoreFuture<'a, Bytes>;
    /// Deletes a blob, if it exists.
    fn delete<'a>(&'a self, path: &'a str) -> StoreFuture<'a, ()>;
}

/// Attachments in memory, for tests.
#[derive(Debug, Default)]
pub struct MemoryBlobs(Mutex<HashMap<String, Bytes>>);

impl MemoryBlobs {
    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut HashMap<String, Bytes>) -> T,
    ) -> StoreFuture<'static, T> {
        Box::pin(ready(Ok(work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))))
    }
}

impl BlobStore for MemoryBlobs {
    fn put<'a>(&'a self, path: &'a str, bytes: Bytes) -> StoreFuture<'a, ()> {
        self.with(|blobs| drop(blobs.insert(path.to_string(), bytes)))
    }

    fn size<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<u64>> {
        self.with(|blobs| blobs.get(path).map(|bytes| bytes.len() as u64))
    }

    fn read<'a>(&'a self, path: &'a str, offset: u64, length: usize) -> StoreFuture<'a, Bytes> {
        self.with(|blobs| {
            let bytes = blobs.get(path).cloned().unwrap_or_default();
            let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
            bytes.slice(from..from + length.min(bytes.len() - from))
        })
    }

    fn delete<'a>(&'a self, path: &'a str) -> StoreFuture<'a, ()> {
        self.with(|blobs| drop(blobs.remove(path)))
    }
}

/// Attachments as files of a folder.
#[derive(Clone, Debug)]
pub struct FolderBlobs(PathBuf);

impl FolderBlobs {
    /// Returns a store in a folder, which the first attachment creates.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        FolderBlobs(folder.into())
    }

    /// Does work with the file of a path, in a thread for blocking calls.
    fn with<T: Send + 'static>(
        &self,
        path: &str,
        work: impl FnOnce(PathBuf) -> std::io::Result<T> + Send + 'static,
    ) -> StoreFuture<'static, T> {
        if !is_path(path) {
            return Box::pin(ready(Err("the path is not that of an attachment".into())));
        }
        let file = self.0.join(path);
        Box::pin(async { spawn_blocking(|| work(file)).await?.map_err(AnyError::from) })
    }
}

/// The maximum number of bytes of a part of a path.
const PART: usize = 64;

/// Returns whether a text has the form of the paths that the service issues.
pub(super) fn is_path(path: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_name = |name: &str| (1..=PART).contains(&name.len()) && name.bytes().all(is_part);
    let parts =
        path.split_once('/').and_then(|(folder, name)| Some((folder, name.split_once('.')?)));
    parts.is_some_and(|(folder, (name, end))| [folder, name, end].into_iter().all(is_name))
}

/// Returns `missing` for a file that does not exist.
fn unless_missing<T>(result: std::io::Result<T>, missing: T) -> std::io::Result<T> {
    result.or_else(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(missing),
        _ => Err(error),
    })
}

impl BlobStore for FolderBlobs {
    fn put<'a>(&'a self, path: &'a str, bytes: Bytes) -> StoreFuture<'a, ()> {
        self.with(path, move |target| {
            target.parent().map_or(Ok(()), fs::create_dir_all)?;
            let temporary = target.with_extension(Uuid::new_v4().to_string());
            let written = File::create(&temporary).and_then(|mut file| {
                file.write_all(&bytes)?;
                file.sync_all()?;
                fs::rename(&temporary, &target)
            });
            written.inspect_err(|_| drop(fs::remove_file(&temporary)))
        })
    }

    fn size<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<u64>> {
        self.with(path, |file| {
            unless_missing(fs::metadata(file).map(|found| Some(found.len())), None)
        })
    }

    fn read<'a>(&'a self, path: &'a str, offset: u64, length: usize) -> StoreFuture<'a, Bytes> {
        self.with(path, move |path| {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            let mut bytes = Vec::new();
            file.take(length as u64).read_to_end(&mut bytes)?;
            Ok(bytes.into())
        })
    }

    fn delete<'a>(&'a self, path: &'a str) -> StoreFuture<'a, ()> {
        self.with(path, |file| unless_missing(fs::remove_file(file), ()))
    }
}
