//! What an agent and its reader share: the text between them, and who waits for what.

use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use super::writer::Writer;

/// How many bytes may wait for the reader before the agent is held.
const ROOM: usize = 16 << 10;

/// The writer, behind all handles of one run.
#[derive(Clone, Debug)]
pub(super) struct Room(Arc<Mutex<Inside>>);

#[derive(Debug)]
struct Inside {
    writer: Writer,
    /// Agents that wait for room.
    held: Vec<Waker>,
    /// The reader that waits for text.
    reader: Option<Waker>,
}

impl Room {
    pub fn new(writer: Writer) -> Self {
        Room(Arc::new(Mutex::new(Inside { writer, held: Vec::new(), reader: None })))
    }

    /// A panic of a caller leaves no half-made state behind, so the lock stays usable.
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes, and lets the reader know.
    pub fn write<T>(&self, work: impl FnOnce(&mut Writer) -> T) -> T {
        let mut inside = self.lock();
        let done = work(&mut inside.writer);
        let reader = inside.reader.take();
        drop(inside);
        reader.into_iter().for_each(Waker::wake);
        done
    }

    /// Ready when there is room for more.
    pub fn poll_room(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut inside = self.lock();
        if inside.writer.len() < ROOM || inside.writer.has_ended() {
            return Poll::Ready(());
        }
        if !inside.held.iter().any(|waker| waker.will_wake(context.waker())) {
            inside.held.push(context.waker().clone());
        }
        Poll::Pending
    }

    /// What has been written, if anything. Otherwise the reader is woken when something is.
    pub fn take(&self, context: &mut Context<'_>) -> Option<String> {
        let mut inside = self.lock();
        if inside.writer.is_empty() {
            inside.reader = Some(context.waker().clone());
            return None;
        }
        let text = inside.writer.take();
        let held = std::mem::take(&mut inside.held);
        drop(inside);
        held.into_iter().for_each(Waker::wake);
        Some(text)
    }
}
