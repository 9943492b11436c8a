//! State that an agent and its reader share: the text between them, and the tasks that wait.

use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use super::writer::Writer;

/// The number of bytes that may wait for the reader before the agent has to wait.
const ROOM: usize = 16 << 10;

/// The writer, shared by all handles of one run.
#[derive(Clone, Debug)]
pub(super) struct Room(Arc<Mutex<Inside>>);

#[derive(Debug)]
struct Inside {
    writer: Writer,
    /// Agents that wait for the reader.
    held: Vec<Waker>,
    /// The reader, if it waits for text.
    reader: Option<Waker>,
}

impl Room {
    pub fn new(writer: Writer) -> Self {
        Room(Arc::new(Mutex::new(Inside { writer, held: Vec::new(), reader: None })))
    }

    /// Locks the state. The lock stays usable after a panic of a caller, which leaves the state consistent.
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` and wakes the reader.
    pub fn write<T>(&self, work: impl FnOnce(&mut Writer) -> T) -> T {
        let mut inside = self.lock();
        let done = work(&mut inside.writer);
        let reader = inside.reader.take();
        drop(inside);
        reader.into_iter().for_each(Waker::wake);
        done
    }

    /// Is ready when less than [`ROOM`] bytes wait for the reader.
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

    /// Returns the text that has been written, if any. Otherwise registers the reader to be woken at the next write.
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
