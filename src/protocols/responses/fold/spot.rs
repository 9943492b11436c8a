//! Where in the output an event belongs.

use crate::core::Reading;
use crate::json::Str;

/// Where an event says that its item is.
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

/// The place of the part that an event is about, in the item or its summary.
pub(super) fn part_index(event: &Reading<'_, '_>) -> Option<i64> {
    number(event, PART_INDEX)
}

fn number(event: &Reading<'_, '_>, at: usize) -> Option<i64> {
    event.get(at)?.integer().ok()
}

/// Where the members that the groups of events share stand in their rows.
const ITEM_ID: usize = 1;
const OUTPUT_INDEX: usize = 2;
const PART_INDEX: usize = 3;
