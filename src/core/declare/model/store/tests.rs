//! Tests of lists whose order changes.

use super::*;
use crate::core::declare::model::member::Writing;

/// A list whose objects are numbers.
#[derive(Default)]
struct Numbered(Vec<usize>);

impl Member for Numbered {
    fn set(&mut self, _: SinkValue<'_>) {}

    fn swap(&mut self, one: usize, other: usize) {
        self.0.swap(one, other);
    }

    fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    fn write(&self, _: &mut String, _: Writing) {}
}

#[test]
fn lists_are_put_in_any_order() {
    for places in
        [&[][..], &[0], &[4], &[4, 3, 2, 1, 0], &[1, 2, 3, 4, 0], &[4, 0, 1, 2, 3], &[2, 0, 3], &[3, 1]]
    {
        let mut list = Numbered((0..5).collect());
        arrange(&mut list, places, 5);
        assert_eq!(list.0, places);
    }
}
