//! The questions that wait for an answer, in the order in which they were asked.

use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;

/// Questions by their ids. Several questions may have the same id.
#[derive(Debug)]
pub(crate) struct OpenQuestions<T> {
    all: Vec<Option<T>>,
    by_id: StringMap<Vec<usize>>,
}

impl<T> Default for OpenQuestions<T> {
    fn default() -> Self {
        OpenQuestions { all: Vec::new(), by_id: StringMap::default() }
    }
}

impl<T> OpenQuestions<T> {
    /// Adds a question.
    pub fn push(&mut self, id: &str, question: T) {
        self.by_id.get_or_insert_default(id).push(self.all.len());
        self.all.push(Some(question));
    }

    /// Removes and returns the questions with an id: they are answered.
    pub fn take(&mut self, id: &str) -> Vec<T> {
        let places = self.by_id.get_mut(id).map(core::mem::take).unwrap_or_default();
        places.into_iter().filter_map(|at| self.all.get_mut(at)?.take()).collect()
    }

    /// Removes and returns all questions.
    pub fn take_all(&mut self) -> Vec<T> {
        core::mem::take(self).all.into_iter().flatten().collect()
    }

    /// Whether no question waits.
    pub fn is_empty(&self) -> bool {
        self.all.iter().all(Option::is_none)
    }
}
