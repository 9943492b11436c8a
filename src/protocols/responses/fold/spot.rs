//! The place of an event in the output.

use crate::core::Reading;
use crate::json::Str;

/// The place of an item, as an event specifies it.
pub(super) struct Spot<'a> {
    pub id: Option<Str<'a>>,
    pub wire: Option<i64>,
}

impl<'a> Spot<'a> {
    pub fn of(event: &Reading<'_, 'a>) -> Self {
        let id = event.get(ITEM_ID).and_then(|id| id.string().ok());
        Spot { id, wire: number(event, OUTPUT_INDEX) }
    }
}

/// Returns the index of an event's part in the item or its summary.
pub(super) fn part_index(event: &Reading<'_, '_>) -> Option<i64> {
    number(event, PART_INDEX)
}

fn number(event: &Reading<'_, '_>, at: usize) -> Option<i64> {
    event.get(at)?.integer().ok()
}

/// The positions, in the rows of events, of the members that the groups share.
const ITEM_ID: usize = 1;
const OUTPUT_INDEX: usize = 2;
const PART_INDEX: usize = 3;
